import Foundation
import Glibc

/// Does a case's events at their times, and knows which speaker runs where.
final class BenchScript {
    private let session: LabSession
    private let service: LabService?
    private let tutti: String
    private let startSpeaker: (_ room: String, _ count: Int) throws(LabError) -> ChildProcess
    private var pending: ArraySlice<BenchEvent>
    private var starts: [String: Int] = [:]
    /// Milliseconds by which the realtime clock is stepped at present.
    private var clockStep = 0
    /// The player.
    var sender: ChildProcess?
    /// Whether the player was killed on purpose.
    private(set) var isSenderKilled = false
    /// The speakers by room.
    private(set) var speakers: [String: ChildProcess] = [:]
    /// What was done.
    private(set) var records: [BenchEvent.Record] = []

    /// - Parameters:
    ///   - service: what plays, when that is a service.
    ///   - tutti: the program that commands are given to.
    ///   - startSpeaker: starts the speaker of a room for the `count`th time.
    init(
        _ events: [BenchEvent], session: LabSession, service: LabService?, tutti: String,
        startSpeaker: @escaping (_ room: String, _ count: Int) throws(LabError) -> ChildProcess
    ) {
        self.session = session
        self.service = service
        self.tutti = tutti
        self.startSpeaker = startSpeaker
        pending = events.sorted { $0.seconds < $1.seconds }[...]
    }

    /// Starts a room's speaker.
    func start(_ room: String) throws(LabError) {
        starts[room, default: 0] += 1
        speakers[room] = try startSpeaker(room, starts[room, default: 1])
    }

    /// Whether the sender is to be killed by now.
    func killsSender(at seconds: Double) -> Bool {
        pending.contains { $0.seconds <= seconds && $0.action == .killSender }
    }

    /// Does what is due `seconds` after the command to play.
    func perform(at seconds: Double) throws(LabError) {
        while let event = pending.first, event.seconds <= seconds {
            pending = pending.dropFirst()
            let time = MonotonicRaw.now()
            try perform(event.action)
            records.append(BenchEvent.Record(text: event.text, rawNanoseconds: time, lasts: event.lasts))
        }
    }

    /// Ends all speakers and takes a step of the clock back that is still in force.
    func end() {
        for speaker in speakers.values { speaker.stop() }
        if clockStep != 0 { try? RealtimeClock.step(milliseconds: -clockStep) }
        clockStep = 0
    }

    private func perform(_ action: BenchEvent.Action) throws(LabError) {
        switch action {
        case .underrun(let room):
            let path = "\(session.directory)/\(room).control"
            guard FileManager.default.createFile(atPath: path, contents: Data("xrun\n".utf8)) else {
                throw .runFailed("cannot write \(path)")
            }
        case .startSpeaker(let room): try start(room)
        case .killSpeaker(let room):
            speakers[room]?.send(SIGKILL)
            _ = speakers[room]?.wait()
        case .pauseSpeaker(let room): speakers[room]?.send(SIGSTOP)
        case .continueSpeaker(let room): speakers[room]?.send(SIGCONT)
        case .killSender:
            isSenderKilled = true
            sender?.send(SIGKILL)
            _ = sender?.wait()
        case .startService(let host): sender = try service?.restart(on: host)
        case .command(let words):
            let command = try session.start([tutti] + words, on: LabSession.sender, name: "command-\(records.count)")
            guard command.wait(seconds: 5) == .exited(code: 0) else {
                throw .runFailed("tutti \(words.joined(separator: " "))")
            }
        case .addRoom(let room): try service?.add(room)
        case .split(let hosts): try session.hosts.network.split(hosts)
        case .move(let host, let address): try session.hosts.move(host, to: address)
        case .link(let host, let profile): try session.hosts.network.setProfile(profile, of: host)
        case .stepClock(let milliseconds):
            try RealtimeClock.step(milliseconds: milliseconds)
            clockStep += milliseconds
        }
    }
}
