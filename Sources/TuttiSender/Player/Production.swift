import TuttiAssets
import TuttiCore
import TuttiProduction

/// What the producer works on. Whatever it reports of an older work item is dropped.
struct Production {
    private var producer: (any TrackProducer)?
    /// The number of the newest work item.
    private(set) var serial = 0
    /// How far on the timeline the producer may go.
    var limit = MediaTime.zero
    /// Whether the next packets are the first after a jump: the playhead goes to where they begin.
    var awaitsFirstPacket = true
    /// What was opened before the player was told of it; nil once it is of no more use.
    private(set) var opened: OpenedAsset?

    /// Where the rooms wait for what comes too slowly; meaningless once the playhead is elsewhere.
    var stalledAt: MediaTime?
    /// Whether what rooms lack is about to be made again.
    var isRemakeDue = false

    init(opened: OpenedAsset?) { self.opened = opened }

    var isRunning: Bool { producer != nil }

    /// What has been made, and what that took.
    var effort: ProducerEffort? { producer?.effort }

    /// The number that the next work item will have.
    var nextSerial: Int { serial + 1 }

    mutating func start(_ producer: any TrackProducer) {
        precondition(!isRunning, "a player has one producer")
        self.producer = producer
    }

    /// Has the producer make this now, and drop what it makes.
    mutating func begin(_ item: ProducerItem) {
        precondition(item.serial == nextSerial, "work items are numbered one after the other")
        serial = item.serial
        producer?.begin(item, limit: limit)
    }

    /// Has the producer drop what it makes; what it has made already may still come.
    func rest() { producer?.rest() }

    /// Has the producer drop what it makes, and what it has made already.
    mutating func abandon() {
        serial += 1
        producer?.rest()
    }

    /// Lets the producer continue.
    mutating func extend(to limit: MediaTime) {
        precondition(limit >= self.limit, "the producer never takes back what it may make")
        self.limit = limit
        producer?.extend(to: limit)
    }

    /// Another input has been opened in advance.
    mutating func prepare(_ opened: OpenedAsset?) { self.opened = opened }

    /// An input is being produced: what was opened in advance is this one, or is closed.
    mutating func use(_ input: AssetInput) {
        if opened?.close(after: input) == true { opened = nil }
    }

    /// What the live track of this work item begins with was captured at `instant`.
    func anchor(_ serial: Int, at instant: HostTime) { producer?.anchor(serial, at: instant) }

    /// The live track of this work item is heard so many ns after its capture from now on.
    func raiseLatency(_ serial: Int, to latency: Int64) { producer?.raiseLatency(serial, to: latency) }

    func stop() { producer?.stop() }

    /// Lets go of the producer. What it reports it reports to the player: either would keep the other.
    mutating func release() { producer = nil }
}
