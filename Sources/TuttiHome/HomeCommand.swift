package import TuttiSchema

/// What a message asks for.
package struct HomeCommand: Sendable, Equatable {
    /// What is asked of the service.
    package var request: ControlRequest
    /// Commands of one line are carried out one after the other; other lines do not wait for them.
    package var line: String
    /// Commands with the same key make those void that came before and still wait; nil for none.
    package var replaces: String?
    /// For people: which command, and where.
    package var name: String

    package init(_ request: ControlRequest, line: String, replaces: String?, name: String) {
        (self.request, self.line, self.replaces, self.name) = (request, line, replaces, name)
    }

    /// What a sleep timer can be set to; 0 is off.
    static let minutes = 0.0...1_440
}

/// Why a message is ignored; reads on from its topic.
package struct CommandFault: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
