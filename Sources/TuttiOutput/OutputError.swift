import CALSA
import Glibc
package import TuttiHost

/// Why sound does not get out.
package enum OutputError: Error, Sendable, Equatable {
    /// The name of the device makes no sense; `reason` reads on from "because".
    case invalidDevice(device: String, reason: String)
    /// The device cannot be opened; `code` is a positive `errno` or code of alsa-lib.
    case cannotOpen(device: String, code: Int32)
    /// The device opens but lacks `what` ("two channels").
    case unsupported(device: String, what: String)
    /// The device refused something while it was in use; `action` reads on from "cannot".
    case failed(device: String, action: String, code: Int32)
    /// The device went away while it was in use (unplugged, its server gone).
    case lost(device: String, code: Int32)
    /// A file could not be written.
    case file(HostError)
    /// A card's mixer has no element of this name, or none of the usual ones, with a scale in decibels; `others` are those
    /// that it has.
    case noMixerElement(String?, card: String, others: [String])
    /// Preferred values are hints for the next activation: they cannot be set while the session is active.
    case sessionActive

    /// True when there is no such device now; plugging it in may help.
    package var isMissing: Bool {
        guard case .cannotOpen(_, let code) = self else { return false }
        return [ENOENT, ENODEV, ENXIO].contains(code)
    }

    /// True when another program has the device.
    package var isBusy: Bool {
        guard case .cannotOpen(_, EBUSY) = self else { return false }
        return true
    }
}

extension OutputError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidDevice(let device, let reason): "cannot use audio device \"\(device)\": \(reason)"
        case .cannotOpen(let device, let code): "cannot open audio device \"\(device)\": \(Self.text(of: code))"
        case .unsupported(let device, let what):
            "audio device \"\(device)\" does not support \(what); try \"plug:\(device)\", which converts"
        case .failed(let device, let action, let code):
            "cannot \(action) audio device \"\(device)\": \(Self.text(of: code))"
        case .lost(let device, let code): "audio device \"\(device)\" is gone: \(Self.text(of: code))"
        case .file(let error): error.description
        case .noMixerElement(let name, let card, let others):
            "the mixer of \"\(card)\" has no volume in decibels "
                + (name.map { "called \"\($0)\"" } ?? "for all of its sound") + "; "
                + (others.isEmpty ? "use --mixer software" : "it has \(others.joined(separator: ", "))")
        case .sessionActive: "the audio session is active: set preferred values before you activate it"
        }
    }

    private static func text(of code: Int32) -> String {
        guard let text = snd_strerror(-code) else { return "error \(code)" }
        return String(cString: text)
    }
}
