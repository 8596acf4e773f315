/// What one client, and all of them, may take of this process. The numbers are MPD's own where it has some.
package enum MPDLimits {
    /// Bytes of a line without its end.
    package static let line = 16 << 10
    /// Bytes that a client may have sent ahead of what is carried out.
    package static let ahead = 64 << 10
    /// Words of a line.
    package static let words = 64
    /// Bytes of a command list.
    package static let list = 2 << 20
    /// Bytes that wait to be sent to a client.
    package static let output = 16 << 20
    /// Bytes of a long answer that are sent at once.
    package static let piece = 256 << 10
    /// Seconds in which a client must take such a piece.
    package static let slowness = 20
    /// Bytes of a picture in one answer, unless the client asks for others, and what it may ask for.
    package static let binary = 8 << 10
    package static let binaries = 64...(1 << 20)
    /// Clients at a time.
    package static let clients = 100
    /// Seconds in which a client must say something, unless it waits for changes.
    package static let silence = 60
    /// Wrong passwords before a client is sent away.
    package static let wrongPasswords = 3
    /// Channels that a client listens to, messages that wait for it, and bytes of one.
    package static let channels = 16
    package static let messages = 64
    package static let message = 4 << 10
}
