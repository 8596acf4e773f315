/// Why nothing can be shown, in one line.
package enum ScreenError: Error, Sendable, Equatable {
    /// There is no display server or no display; `reason` is SDL's.
    case unavailable(reason: String)
    /// The display that was asked for is not there; displays are counted from 1.
    case noDisplay(Int, count: Int)
    /// Nothing can be drawn any longer; `reason` is SDL's.
    case lost(reason: String)
}

extension ScreenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason):
            "no display to show pictures on (\(reason)); is DISPLAY or WAYLAND_DISPLAY set, or a monitor connected?"
        case .noDisplay(let number, let count):
            "there is no display \(number); this host has \(count == 1 ? "one" : "\(count)"), counted from 1"
        case .lost(let reason): "the display is gone (\(reason)); start the program again when it is back"
        }
    }
}
