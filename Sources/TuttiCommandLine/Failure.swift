/// An error that ends a program: its description is the line that is printed.
package protocol ProgramFailure: Error, CustomStringConvertible {
    /// What the program ends with.
    var exitCode: Int32 { get }
}

/// Why a command ends early: one line and an exit status.
package struct Failure: ProgramFailure {
    package let description: String
    package let exitCode: Int32

    package init(_ message: String, exitCode: Int32 = 1) {
        description = message
        self.exitCode = exitCode
    }
}
