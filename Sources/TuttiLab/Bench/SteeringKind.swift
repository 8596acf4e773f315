/// What a command asks for, as far as that decides how long it may take.
package enum SteeringKind: String, Sendable, Codable, CaseIterable {
    case pause
    case resume
    case volume
    case mute
    case unmute
    /// To a place that every room holds.
    case seekInside = "seek, loaded"
    /// To a place that no room holds.
    case seekOutside = "seek, not loaded"
    /// To a piece that every room holds.
    case next = "next, loaded"
    /// To a piece that no room holds any more.
    case previous = "previous, not loaded"

    /// A piece that is heard later, and that every room holds, becomes another one; until half a minute of that is
    /// there.
    case edit = "edit, refilled"

    /// Whether the place in the song is another one afterwards.
    package var jumps: Bool {
        switch self {
        case .seekInside, .seekOutside, .next, .previous: true
        case .pause, .resume, .volume, .mute, .unmute, .edit: false
        }
    }

    /// Whether there is silence afterwards.
    package var silences: Bool { self == .pause || self == .mute }

    /// Whether what it asks for has first to be sent to the rooms.
    package var loads: Bool { self == .seekOutside || self == .previous || self == .edit }
}
