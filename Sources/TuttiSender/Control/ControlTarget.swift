package import TuttiRooms
package import TuttiSchema

/// Whoever does what controllers ask for.
package protocol ControlTarget: Sendable {
    /// Whether it is a service, and not a player that ends with its queue.
    var isService: Bool { get }
    /// Does it, or answers why not.
    func answer(_ request: ControlRequest) async -> ControlAnswer
}

/// What a controller gets.
package struct ControlAnswer: Sendable {
    /// The line that answers.
    package var response: ControlResponse
    /// What is told after that, until it ends.
    package var events: AsyncStream<ControlEvent>?
    /// What is done once the line has gone.
    package var afterwards: (@Sendable () async -> Void)?

    /// An answer.
    package init(
        _ response: ControlResponse, events: AsyncStream<ControlEvent>? = nil,
        afterwards: (@Sendable () async -> Void)? = nil
    ) {
        self.response = response
        self.events = events
        self.afterwards = afterwards
    }

    /// It was not done.
    package init(_ error: SenderError) { self.init(ControlResponse(error)) }
}
