/// What sort of sound card is being observed: how far its reported positions scatter before anything is learned.
package enum CardKind: String, Sendable, CaseIterable {
    /// A software card, or a file.
    case virtual
    /// On-board sound: HDA or I²S.
    case hda
    /// USB audio, whose pointer moves once a USB frame.
    case usb
    /// Not known; taken to be as coarse as USB until observations say otherwise.
    case unknown

    /// Standard deviation of one observed position before learning, nanoseconds.
    var observationSigma: Double {
        switch self {
        case .virtual: 6_000
        case .hda: 20_000
        case .usb, .unknown: 300_000
        }
    }
}
