package import TuttiTrust

/// Why a speaker could not start.
package enum SpeakerError: Error, Equatable, CustomStringConvertible {
    /// Another process listens on the port.
    case portInUse(UInt16)
    /// Listening failed for another reason.
    case cannotListen(address: String, reason: String)
    /// The state folder cannot be made or written.
    case stateUnwritable(path: String, reason: String)
    /// The device cannot be opened at all.
    case device(String)
    /// The device's mixer cannot be used.
    case mixer(String)
    /// Keys or claim cannot be read or kept.
    case trust(TrustError)
    /// A speaker that was asked does not work as it should.
    case unhealthy(String)

    /// One line for people in front of the program, with what to do about it.
    package var description: String {
        switch self {
        case .portInUse(let port):
            "port \(port) is in use; stop the other speaker, or choose another port with --port"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .stateUnwritable(let path, let reason):
            "cannot store state in \(path): \(reason); choose another folder with --state-dir"
        case .device(let reason): "\(reason); `tutti-speaker devices` lists the outputs"
        case .mixer(let reason): "\(reason); `amixer -D CARD scontents` lists what a mixer has"
        case .trust(let error): error.description
        case .unhealthy(let reason): reason
        }
    }
}
