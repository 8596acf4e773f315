/// A part of a YAML file, in the order in which it is read.
package enum YAMLEvent: Sendable, Equatable {
    /// The file, or a document in it, begins or ends.
    case start
    case text(String)
    case list
    case endOfList
    case table
    case endOfTable
    /// A reference to another place of the file.
    case alias
    /// The end of the file.
    case end
}
