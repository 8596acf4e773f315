/// An event as a controller hears it, one line of JSON: with the group that it is about, where a service plays.
package struct ControlEvent: Sendable, Equatable {
    /// What happened.
    package enum Kind: Sendable, Equatable {
        /// The player's state changed.
        case state(PlayerStatus.State)
        /// Another track plays from now on, or a station reports another title.
        case item(PlayerStatus.Item)
        /// A track cannot be played, or not to its end; `id` is its entry's in the queue.
        case itemFailed(index: Int, uri: String, message: String, id: UInt64?)
        /// What is played comes too slowly: the rooms wait for more of it.
        case stalled
        /// A room came, went or changed its state; `message` is empty if there is nothing to say.
        case room(name: String, RoomEvent, message: String)
        /// Something that a person may want to know.
        case notice(String)
        /// How it stands, once a second.
        case progress(PlayerStatus)
        /// Something changed that has to be read again; only for those who watch all groups.
        case changed(Change)
        /// It is over; the exit code is that of a program that did only this.
        case finished(exitCode: Int32, message: String?)
    }

    /// What is to be read again after a change.
    package enum Change: String, Sendable, Codable, CaseIterable {
        /// The groups: another one plays, ended, was made, deleted or given other rooms.
        case groups
        /// The queue of the event's group.
        case queue
        /// Rooms in which nothing plays.
        case rooms
        /// What is to be played later.
        case schedules
        /// The radio stations that are kept.
        case stations
        /// The music library: its files, or what somebody likes of them.
        case library
        /// The playlists that are kept.
        case playlists
    }

    /// What happened.
    package var kind: Kind
    /// Where.
    package var group: String?

    /// An event.
    package init(_ kind: Kind, group: String? = nil) {
        self.kind = kind
        self.group = group
    }
}

extension ControlEvent: Codable {
    private enum Key: String, CodingKey {
        case event, group, state, item, index, id, uri, message, room, status, exitCode, what
    }

    /// The field that tells them apart.
    fileprivate enum Word: String, Codable {
        case state, item, itemFailed, stalled, room, notice, progress, changed, finished
    }

    /// Reads what `encode(to:)` wrote.
    ///
    /// - Throws: `DecodingError` for an event of a later version.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        group = try object.decodeIfPresent(String.self, forKey: .group)
        switch try object.decode(Word.self, forKey: .event) {
        case .state: kind = .state(try object.decode(PlayerStatus.State.self, forKey: .state))
        case .item: kind = .item(try object.decode(PlayerStatus.Item.self, forKey: .item))
        case .itemFailed:
            kind = .itemFailed(
                index: try object.decode(Int.self, forKey: .index), uri: try object.decode(String.self, forKey: .uri),
                message: try object.decode(String.self, forKey: .message),
                id: try object.decodeIfPresent(UInt64.self, forKey: .id))
        case .stalled: kind = .stalled
        case .room:
            kind = .room(
                name: try object.decode(String.self, forKey: .room),
                try object.decode(RoomEvent.self, forKey: .state),
                message: try object.decodeIfPresent(String.self, forKey: .message) ?? "")
        case .notice: kind = .notice(try object.decode(String.self, forKey: .message))
        case .progress: kind = .progress(try object.decode(PlayerStatus.self, forKey: .status))
        case .changed: kind = .changed(try object.decode(Change.self, forKey: .what))
        case .finished:
            kind = .finished(
                exitCode: try object.decode(Int32.self, forKey: .exitCode),
                message: try object.decodeIfPresent(String.self, forKey: .message))
        }
    }

    /// One object with the field `event`, as `docs/json.md` lists them.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(kind.word, forKey: .event)
        try object.encodeIfPresent(group, forKey: .group)
        switch kind {
        case .state(let state): try object.encode(state, forKey: .state)
        case .item(let item): try object.encode(item, forKey: .item)
        case .itemFailed(let index, let uri, let message, let id):
            try object.encode(index, forKey: .index)
            try object.encode(uri, forKey: .uri)
            try object.encode(message, forKey: .message)
            try object.encodeIfPresent(id, forKey: .id)
        case .stalled: break
        case .room(let name, let event, let message):
            try object.encode(name, forKey: .room)
            try object.encode(event, forKey: .state)
            if !message.isEmpty { try object.encode(message, forKey: .message) }
        case .notice(let message): try object.encode(message, forKey: .message)
        case .progress(let status): try object.encode(status, forKey: .status)
        case .changed(let what): try object.encode(what, forKey: .what)
        case .finished(let exitCode, let message):
            try object.encode(exitCode, forKey: .exitCode)
            try object.encodeIfPresent(message, forKey: .message)
        }
    }
}

extension ControlEvent.Kind {
    fileprivate var word: ControlEvent.Word {
        switch self {
        case .state: .state
        case .item: .item
        case .itemFailed: .itemFailed
        case .stalled: .stalled
        case .room: .room
        case .notice: .notice
        case .progress: .progress
        case .changed: .changed
        case .finished: .finished
        }
    }
}
