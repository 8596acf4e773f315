import TuttiCore
import TuttiWire

/// What a room is called: the speaker keeps its name, and any sender of the household may change it.
extension Room {
    /// The speaker is told this name, and counts as called so.
    func told(name: String) {
        toldName = name
        take(name: name)
    }

    /// The speaker says what it is called.
    ///
    /// - Returns: whether that is another name than before.
    func reported(name: String) -> Bool {
        if name == toldName { toldName = nil }
        // Until it has heard of its new name it goes by the old one.
        guard !name.isEmpty, toldName == nil, name != session.welcome?.name else { return false }
        take(name: name)
        return true
    }

    /// Whether it is the speaker that was asked for: by its name or its id, or because it was here before and has been
    /// given another name meanwhile.
    func isMeant(_ welcome: Welcome) -> Bool {
        address.name.isEmpty || address.name == welcome.id || Names.areSame(address.name, welcome.name)
            || speakerID == welcome.id
    }

    /// Goes by this name from now on; whoever asked for the room by its id still does.
    func take(name: String) {
        let id = session.welcome?.id ?? speakerID
        if !address.name.isEmpty, address.name != id { address.name = name }
        session.setName(name)
    }
}

extension SenderError {
    /// The room's speaker cannot be given another name.
    static func cannotBeNamed(_ room: String) -> SenderError {
        .roomRefused(room, reason: "its speaker is too old to be given another name; update it, or change its settings")
    }
}
