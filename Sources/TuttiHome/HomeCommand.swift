package import TuttiSchema

/// What a message asks for.
package struct HomeCommand: Sendable, Equatable {
    /// What is asked of the service.
    package enum Action: Sendable, Equatable {
        /// One request.
        case request(ControlRequest)
        /// That the loudest room of a group plays at this volume, and the others keep their distance to it.
        case volume(Double, group: String)
    }

    package var action: Action
    /// Commands of one line are carried out one after the other; other lines do not wait for them.
    package var line: String
    /// Commands with the same key make those void that came before and still wait; nil for none.
    package var replaces: String?
    /// For people: which command, and where.
    package var name: String

    package init(action: Action, line: String, replaces: String?, name: String) {
        (self.action, self.line, self.replaces, self.name) = (action, line, replaces, name)
    }

    /// What a sleep timer can be set to; 0 is off.
    static let minutes = 0.0...1_440
}

/// Why a message is ignored; reads on from its topic.
package struct CommandFault: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
