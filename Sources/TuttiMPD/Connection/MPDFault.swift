/// Why a command was not carried out, as an `ACK` line reports it.
package struct MPDFault: Error, Equatable {
    /// The number that clients go by; those of MPD's `Ack.hxx`.
    package enum Code: Int, Sendable {
        /// An argument is wrong.
        case argument = 2
        /// The password is wrong.
        case password = 3
        /// The client may not do this.
        case permission = 4
        /// There is no such command, or not here.
        case unknown = 5
        /// There is no such thing.
        case noSuchThing = 50
        /// The service refuses it, or does not answer.
        case system = 52
        /// The thing exists already.
        case exists = 56
    }

    package var code: Code
    /// One line, for people.
    package var message: String

    package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// There is no such song.
    static let noSuchSong = MPDFault(.noSuchThing, "No such song")

    /// The line of the answer.
    ///
    /// - Parameters:
    ///   - position: of the command in its list, from 0.
    ///   - command: its name; empty where there is none.
    package func line(at position: Int, of command: String) -> String {
        "ACK [\(code.rawValue)@\(position)] {\(command)} \(MPDOutput.shown(message))\n"
    }
}
