extension PlayerEvent: Decodable {
    private enum Key: String, CodingKey {
        case event, state, item, index, id, uri, message, room, status, exitCode
    }

    /// Reads what `encode(to:)` wrote.
    ///
    /// - Throws: `DecodingError` for an event of a later version.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let event = try object.decode(String.self, forKey: .event)
        switch event {
        case "state": self = .state(try object.decode(PlayerStatus.State.self, forKey: .state))
        case "item": self = .item(try object.decode(PlayerStatus.Item.self, forKey: .item))
        case "itemFailed":
            self = .itemFailed(
                index: try object.decode(Int.self, forKey: .index), uri: try object.decode(String.self, forKey: .uri),
                message: try object.decode(String.self, forKey: .message),
                id: try object.decodeIfPresent(UInt64.self, forKey: .id))
        case "stalled": self = .stalled
        case "room":
            self = .room(
                name: try object.decode(String.self, forKey: .room),
                state: try object.decode(String.self, forKey: .state),
                message: try object.decodeIfPresent(String.self, forKey: .message) ?? "")
        case "notice": self = .notice(.said(try object.decode(String.self, forKey: .message)))
        case "progress": self = .progress(try object.decode(PlayerStatus.self, forKey: .status))
        case "finished":
            self = .finished(
                PlayerOutcome(
                    exitCode: try object.decode(Int32.self, forKey: .exitCode),
                    message: try object.decodeIfPresent(String.self, forKey: .message)))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .event, in: object, debugDescription: "no event of this version: \(event)")
        }
    }
}
