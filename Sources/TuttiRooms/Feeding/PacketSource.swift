package import TuttiCore
import TuttiWire

/// What a group's rooms are fed from: the packet log, and what rooms buffer besides.
package struct PacketSource {
    /// The packets.
    package internal(set) var log = PacketLog()
    /// Where the log begins although rooms buffer what lies before: they have that from an earlier process, or from a
    /// log before this one.
    package var begin: MediaTime?
    /// Up to where rooms buffer the timeline that is not in the log.
    package var heldUpTo: MediaTime?
    private var formats = FormatNumbers<AudioFormat>(limit: WireLimits.formats)

    package init() {}

    /// A packet with the number of its format.
    mutating func entry(for buffer: SampleBuffer) -> PacketLog.Entry {
        PacketLog.Entry(buffer: buffer, formatID: formats.id(of: buffer.format))
    }

    /// Adds what follows.
    package mutating func append(_ buffer: SampleBuffer) { log.append(entry(for: buffer)) }

    /// Up to where there is sound: what has been produced, or what rooms buffer from before.
    package var soundEnd: MediaTime? {
        guard let heldUpTo else { return log.end }
        return max(log.end ?? heldUpTo, heldUpTo)
    }

    /// Forgets what begins at `time` or later, or everything; returns what `PacketLog.cut` returns.
    package mutating func cut(from time: MediaTime?) -> Int {
        heldUpTo = heldUpTo.flatMap { held in time.map { min($0, held) } }
        if let time { return log.cut(from: time) }
        begin = nil
        log.removeAll()
        return log.endIndex
    }
}
