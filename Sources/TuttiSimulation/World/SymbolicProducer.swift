import TuttiAssets
import TuttiCore
import TuttiProduction
import TuttiSender

/// Makes packets of songs that are no more than names and lengths, in the order and with the words of the real one.
final class SymbolicProducer: TrackProducer, @unchecked Sendable {
    private let songs: [String: (number: UInt32, song: Song)]
    private let process: VirtualProcess
    private let report: @Sendable (Int, ProducerEvent) -> Void
    private var work: Work?
    private var limit = MediaTime.zero
    private var isStopped = false
    /// Counts what is under way: what was begun for an earlier item comes to nothing.
    private var turn = 0

    /// Nanoseconds that opening a song takes, and making a packet: a hundred times as fast as it plays.
    private static let openingTime: Int64 = 5_000_000
    private static let packetTime: Int64 = 2_500_000
    /// Packets that are made at once, and how many there are in a second.
    private static let batch = 8
    private static let packetsPerSecond = 4

    var effort: ProducerEffort? { nil }

    init(songs: [Song], process: VirtualProcess, report: @escaping @Sendable (Int, ProducerEvent) -> Void) {
        self.songs = Dictionary(
            songs.enumerated().map { ($1.name, (UInt32($0), $1)) }, uniquingKeysWith: { first, _ in first })
        self.process = process
        self.report = report
    }

    func begin(_ item: ProducerItem, limit: MediaTime) {
        self.limit = limit
        work = nil
        go(after: Self.openingTime) { [self] in open(item) }
    }

    func rest() {
        work = nil
        turn += 1
    }

    func extend(to limit: MediaTime) {
        guard limit > self.limit else { return }
        self.limit = limit
        if work?.isWaiting == true { make() }
    }

    /// Nothing is live here.
    func anchor(_ serial: Int, at instant: HostTime) {}
    func raiseLatency(_ serial: Int, to latency: Int64) {}

    func stop() {
        isStopped = true
        rest()
    }

    private func go(after delay: Int64, _ body: @escaping () -> Void) {
        turn += 1
        let mine = turn
        process.after(delay) { [self] in
            if turn == mine, !isStopped { body() }
        }
    }

    // MARK: The piece

    /// A stretch of one song that is to be made.
    private struct Stretch {
        let packet: SymbolicPacket
        let format: AudioFormat
        let bytesPerSecond: Double
        /// On the timeline.
        let end: MediaTime
    }

    private struct Work {
        let item: ProducerItem
        var stretches: [Stretch]
        /// What follows the first of them.
        var placed: (start: MediaTime, head: CrossfadeTail?)?
        var position: MediaTime
        let info: AssetInfo
        /// Where the piece is left; nil when it is played through.
        let stop: MediaTime?
        var isWaiting = false
    }

    private func open(_ item: ProducerItem) {
        guard let (number, song) = find(item.input) else {
            report(item.serial, .failed(message: "no such song"))
            return report(item.serial, .ended(end: item.start, remainingOffset: .zero))
        }
        let info = Self.info(song)
        let duration = info.duration ?? .zero
        report(item.serial, .opened(info))
        if item.offset.isPositive, item.offset >= duration {
            let end = item.start + duration.scaled(by: 1 / item.rate)
            return report(item.serial, .ended(end: end, remainingOffset: item.offset - duration))
        }
        begin(item, number, song, info)
        make()
    }

    private func begin(_ item: ProducerItem, _ number: UInt32, _ song: Song, _ info: AssetInfo) {
        let duration = info.duration ?? .zero
        var start = item.start
        var position = start + item.offset.scaled(by: 1 / item.rate)
        var stretches: [Stretch] = []
        var placed: (start: MediaTime, head: CrossfadeTail?)?
        if let head = item.head, !item.offset.isPositive {
            let joint = head.ending(before: duration.scaled(by: 1 / item.rate))
            let until = joint?.time ?? head.end
            if head.time < until, let before = stretch(of: head, until: until) { stretches = [before] }
            start = until
            position = stretches.isEmpty ? until : head.time
            placed = (start, joint)
        }
        let stop = item.tailPlace(of: info)
        let end = start + (stop ?? duration).scaled(by: 1 / item.rate)
        if let own = stretch(song, number, item.input, start: start, rate: item.rate, until: end) {
            stretches.append(own)
        }
        work = Work(
            item: item, stretches: stretches, placed: placed, position: position, info: info, stop: stop)
    }

    private func find(_ input: AssetInput) -> (number: UInt32, song: Song)? {
        SymbolicInput(input.uri).flatMap { songs[$0.song] }
    }

    private static func info(_ song: Song) -> AssetInfo {
        let frames = Int64(Double(song.length) * Double(song.sampleRate) * 1e-9)
        return AssetInfo(
            title: song.name, duration: MediaTime(frame: frames, sampleRate: song.sampleRate),
            sampleRate: song.sampleRate, bitDepth: 16, codec: "flac")
    }

    private func stretch(of ending: CrossfadeTail, until end: MediaTime) -> Stretch? {
        guard let (number, song) = find(ending.input) else { return nil }
        let start = ending.time - ending.place.scaled(by: 1 / ending.rate)
        return stretch(song, number, ending.input, start: start, rate: ending.rate, until: end)
    }

    private func stretch(
        _ song: Song, _ number: UInt32, _ input: AssetInput, start: MediaTime, rate: Double, until end: MediaTime
    ) -> Stretch? {
        guard let format = AudioFormat(codec: .flac, sampleRate: song.sampleRate, channelCount: 2, bitDepth: 16)
        else { return nil }
        let entry = SymbolicInput(input.uri)?.entry ?? 0
        return Stretch(
            packet: SymbolicPacket(song: number, entry: entry, start: start.nanoseconds, rate: rate), format: format,
            bytesPerSecond: Double(song.bitsPerSecond) / 8, end: end)
    }

    // MARK: Making

    private func make() {
        guard var work else { return }
        work.isWaiting = false
        // The place of what comes is said before it comes.
        if work.stretches.count == 1, let placed = work.placed {
            report(work.item.serial, .placed(start: placed.start, head: placed.head))
            work.placed = nil
        }
        var buffers: [SampleBuffer] = []
        while buffers.count < Self.batch, work.position < limit, let stretch = work.stretches.first {
            guard let buffer = Self.packet(of: stretch, at: work.position) else {
                work.stretches.removeFirst()
                break
            }
            work.position = buffer.timeRange.end
            buffers.append(buffer)
        }
        let isOver = work.stretches.isEmpty
        work.isWaiting = !isOver && work.position >= limit
        self.work = isOver ? nil : work
        if !buffers.isEmpty { report(work.item.serial, .packets(buffers)) }
        if isOver { return end(work) }
        if !work.isWaiting { go(after: Self.packetTime * Int64(max(buffers.count, 1))) { [self] in make() } }
    }

    private func end(_ work: Work) {
        let serial = work.item.serial
        if let stop = work.stop, let ending = work.item.ending(of: work.info, from: stop, at: work.position) {
            return report(serial, .ending(ending))
        }
        report(serial, .ended(end: work.position, remainingOffset: .zero))
    }

    /// The next packet; nil at the end of the stretch.
    private static func packet(of stretch: Stretch, at position: MediaTime) -> SampleBuffer? {
        let rate = stretch.format.sampleRate
        let left = (stretch.end - position).frame(at: rate)
        let frames = min(Int64(rate / packetsPerSecond), left)
        guard frames > 0 else { return nil }
        let bytes = Int(stretch.bytesPerSecond * Double(frames) / Double(rate))
        return SampleBuffer(
            format: stretch.format, presentationTime: position, frameCount: Int(frames),
            data: stretch.packet.encoded(realBytes: bytes))
    }
}
