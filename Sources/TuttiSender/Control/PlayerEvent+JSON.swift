extension PlayerEvent: Encodable {
    private enum Key: String, CodingKey {
        case event, state, item, index, id, uri, message, room, status, exitCode
    }

    /// One object with the field `event`, as `docs/json.md` lists them.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        switch self {
        case .state(let state):
            try object.encode("state", forKey: .event)
            try object.encode(state, forKey: .state)
        case .item(let item):
            try object.encode("item", forKey: .event)
            try object.encode(item, forKey: .item)
        case .itemFailed(let index, let uri, let message, let id):
            try object.encode("itemFailed", forKey: .event)
            try object.encode(index, forKey: .index)
            try object.encode(uri, forKey: .uri)
            try object.encode(message, forKey: .message)
            try object.encodeIfPresent(id, forKey: .id)
        case .stalled: try object.encode("stalled", forKey: .event)
        case .room(let name, let state, let message):
            try object.encode("room", forKey: .event)
            try object.encode(name, forKey: .room)
            try object.encode(state, forKey: .state)
            if !message.isEmpty { try object.encode(message, forKey: .message) }
        case .notice(let notice):
            try object.encode("notice", forKey: .event)
            try object.encode(notice.description, forKey: .message)
        case .progress(let status):
            try object.encode("progress", forKey: .event)
            try object.encode(status, forKey: .status)
        case .finished(let outcome):
            try object.encode("finished", forKey: .event)
            try object.encode(outcome.exitCode, forKey: .exitCode)
            try object.encodeIfPresent(outcome.message, forKey: .message)
        }
    }
}
