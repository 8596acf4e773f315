import Foundation
import TuttiCore
import TuttiSchema

/// `tutti serve` in a lab: what plays through it, and how it goes on when it is started again, on its host or on
/// another with a copy of its store.
final class LabService {
    private let session: LabSession
    private let programs: LabPrograms
    /// Where it runs, or ran last.
    private(set) var host = LabSession.sender
    /// Of each time that it was started again: seconds until a room held more than before, by room.
    private(set) var feedings: [[String: Double]] = []
    /// When it was started last, ns of CLOCK_MONOTONIC_RAW.
    private var started: Int64 = 0
    /// Up to where rooms held the song when it was killed, in seconds.
    private var held: [String: Double] = [:]

    /// The group that plays the song.
    static let group = "down"
    /// The group of a room that plays silence at first.
    private static let elsewhere = "up"
    /// Seconds until a service listens, and until rooms are fed again.
    private static let patience = 5.0
    /// Seconds of sound that count as more.
    private static let more = 0.05

    init(_ session: LabSession, _ programs: LabPrograms) {
        self.session = session
        self.programs = programs
    }

    /// Starts it for the first time, and waits until it listens.
    func start() throws(LabError) -> ChildProcess {
        let process = try session.start([programs.tutti, "serve"], on: host, name: "serve")
        let socket = "\(session.folder(of: host))/tutti/control.sock"
        let deadline = MonotonicRaw.now() + Int64(Self.patience * 1e9)
        while !FileManager.default.fileExists(atPath: socket) {
            guard process.isRunning, MonotonicRaw.now() < deadline else { throw .timedOut("the service's socket") }
            usleep(5_000)
        }
        return process
    }

    /// Has it play in the case's rooms that are in the group from the start, and silence in those that are elsewhere.
    ///
    /// - Returns: when the command to play was given, ns of CLOCK_MONOTONIC_RAW.
    func play(_ pieces: [String], of bench: BenchCase, silence: String?) throws(LabError) -> Int64 {
        var places: [BenchCase.Room.Place: [String]] = [:]
        for room in bench.rooms { places[room.place, default: []].append(try address(of: room.name)) }
        if let silence, let rooms = places[.elsewhere] {
            try command(["group", "set", Self.elsewhere] + rooms)
            try command(["play", silence, "--group", Self.elsewhere, "--detach"])
        }
        try command(["group", "set", Self.group] + (places[.group] ?? []))
        sleep(bench.servedAfter ?? 0)
        return try command(["play"] + pieces + ["--group", Self.group, "--detach"])
    }

    /// Adds a room to those that play the song.
    func add(_ room: String) throws(LabError) {
        try command(["group", "add", Self.group, try address(of: room)])
    }

    /// Takes note of what the rooms hold: it is about to be killed.
    func noteHeld(_ status: PlayerStatus?) { held = Self.ends(status) }

    /// Starts it again.
    ///
    /// - Parameter next: the host; one that it has not run on gets a copy of its store.
    func restart(on next: String) throws(LabError) -> ChildProcess {
        if next != host {
            let (old, new) = ("\(session.folder(of: host))/state", "\(session.folder(of: next))/state")
            do {
                try FileManager.default.copyItem(atPath: old, toPath: new)
            } catch {
                throw .runFailed("cannot copy \(old): \(error.localizedDescription)")
            }
            host = next
        }
        let process = try session.start([programs.tutti, "serve"], on: host, name: "serve-again")
        started = process.started
        feedings.append([:])
        return process
    }

    /// Whether it is of interest at any moment what rooms hold: it was started again just now.
    var isFeedingAwaited: Bool {
        guard let last = feedings.last else { return false }
        return last.count < held.count && Double(MonotonicRaw.now() - started) / 1e9 < Self.patience
    }

    /// Looks which rooms hold more than before it was started again.
    func look(_ status: PlayerStatus?) {
        guard let last = feedings.indices.last else { return }
        for (room, end) in Self.ends(status) where feedings[last][room] == nil {
            guard let before = held[room], end > before + Self.more else { continue }
            feedings[last][room] = Double(MonotonicRaw.now() - started) / 1e9
        }
    }

    private static func ends(_ status: PlayerStatus?) -> [String: Double] {
        var ends: [String: Double] = [:]
        for room in status?.rooms ?? [] { ends[room.name] = room.loaded.end?.seconds }
        return ends
    }

    private func address(of room: String) throws(LabError) -> String {
        "\(room)@\(try session.hosts.address(of: room)):\(TuttiRun.port)"
    }

    /// - Returns: when it was given.
    @discardableResult
    private func command(_ arguments: [String]) throws(LabError) -> Int64 {
        let process = try session.start([programs.tutti] + arguments, on: host, name: "command")
        guard process.wait() == .exited(code: 0) else {
            let said = try? String(contentsOfFile: "\(session.folder(of: host))/command.log", encoding: .utf8)
            throw .runFailed("tutti \(arguments.joined(separator: " ")): \(said ?? "")")
        }
        return process.started
    }
}
