package import TuttiCore

/// What a group's rooms are fed from: the packet log, and what rooms hold besides.
package struct PacketSource {
    /// The packets.
    package internal(set) var log = PacketLog()
    /// Where the log begins though rooms hold what lies before: they had that from an earlier process, or a log before
    /// this one.
    package var begin: MediaTime?
    /// Up to where rooms hold the timeline that is not in the log.
    package var heldUpTo: MediaTime?
    private var formats = FormatNumbers()

    package init() {}

    /// A packet with the number of its format.
    mutating func entry(for buffer: SampleBuffer) -> PacketLog.Entry {
        PacketLog.Entry(buffer: buffer, formatID: formats.id(of: buffer.format))
    }

    /// Adds what follows.
    package mutating func append(_ buffer: SampleBuffer) { log.append(entry(for: buffer)) }

    /// Up to where there is sound: what has been made, or what rooms hold from before.
    package var soundEnd: MediaTime? {
        guard let heldUpTo else { return log.end }
        return max(log.end ?? heldUpTo, heldUpTo)
    }

    /// Forgets what begins at `time` or later, or everything; `PacketLog.cut` says what is returned.
    package mutating func cut(from time: MediaTime?) -> Int {
        heldUpTo = heldUpTo.flatMap { held in time.map { min($0, held) } }
        if let time { return log.cut(from: time) }
        begin = nil
        log.removeAll()
        return log.endIndex
    }
}
