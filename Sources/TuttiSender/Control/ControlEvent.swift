/// An event as a controller hears it: with the group that it is about, where a service plays.
package struct ControlEvent: Sendable, Equatable, Encodable {
    /// What happened.
    package var event: PlayerEvent
    /// Where.
    package var group: String?

    /// An event.
    package init(_ event: PlayerEvent, group: String? = nil) {
        self.event = event
        self.group = group
    }

    private enum CodingKeys: String, CodingKey { case group }

    /// The event's own object, with one more field.
    package func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encodeIfPresent(group, forKey: .group)
    }
}
