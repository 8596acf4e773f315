/// A radio station that is kept by name.
package struct StationListing: Sendable, Equatable, Codable {
    /// What it is called.
    package var name: String
    /// Its address.
    package var uri: String

    package init(name: String, uri: String) { (self.name, self.uri) = (name, uri) }
}
