package import TuttiHost

/// What a member of a group clock sends and receives through: a socket that stamps datagrams.
package protocol TimingSocket: Sendable {
    /// The port that others ask.
    var localPort: UInt16 { get }

    /// Sends a datagram without waiting.
    func send(_ bytes: [UInt8], to address: SocketAddress) -> SendStamp

    /// What has come; waits for it so many nanoseconds, for ever when negative, or until `wake`.
    func receive(timeoutNanoseconds: Int64) -> [UDPEvent]

    /// Has whoever waits for datagrams look at what is due.
    func wake()

    /// What has become of stamps since the last call, for the log.
    func takeRemarks() -> [String]
}

extension TimingSocket {
    /// Nothing, of a socket that has nothing to say.
    package func takeRemarks() -> [String] { [] }
}

extension TimestampedUDPSocket: TimingSocket {}
