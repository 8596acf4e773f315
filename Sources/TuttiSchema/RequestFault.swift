/// Why a line is no request: what a person should have given.
package struct RequestFault: Error, Equatable, CustomStringConvertible {
    /// One line.
    package let description: String

    init(_ description: String) { self.description = description }
}
