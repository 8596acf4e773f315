import NIOCore

/// Control messages that wait until what they are about is written down.
package struct Outbox {
    /// Whether rooms hear of nothing before the owner has written it down.
    package var isRecorded = false
    private var waiting: [(channel: any Channel, bytes: [UInt8])] = []

    /// Sends a message, or keeps it.
    ///
    /// - Returns: whether it is the first that waits.
    mutating func send(_ bytes: [UInt8], on channel: any Channel) -> Bool {
        guard isRecorded else {
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            return false
        }
        waiting.append((channel, bytes))
        return waiting.count == 1
    }

    /// Sends what waits.
    package mutating func flush() {
        for (channel, bytes) in waiting { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
        waiting = []
    }
}
