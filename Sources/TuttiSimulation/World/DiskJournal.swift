import TuttiSender

/// Where a simulated player writes down what it needs to go on: its host's disk.
final class DiskJournal: PlayerJournal, @unchecked Sendable {
    private let host: VirtualHost
    private let name: String
    private var record: PlayerRecord?
    /// By a planted fault: what was written is on the disk only every ten seconds.
    private let isLazy: Bool
    private var nextWrite: Int64 = 0

    private static let laziness: Int64 = 10_000_000_000

    init(on host: VirtualHost, name: String, isLazy: Bool) {
        self.host = host
        self.name = name
        self.isLazy = isLazy
        record = host.disk.records[name]
    }

    func store(_ change: PlayerChange) {
        record = PlayerRecord.applying(change, to: record)
        guard !host.disk.isFull, !isLazy || host.agenda.now >= nextWrite else { return }
        nextWrite = host.agenda.now + Self.laziness
        host.disk.records[name] = record
    }

    /// The player is over: nothing is to be gone on from.
    static func forget(_ name: String, on host: VirtualHost) { host.disk.records[name] = nil }
}
