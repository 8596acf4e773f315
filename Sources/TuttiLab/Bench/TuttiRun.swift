import Foundation
import Glibc
import TuttiSchema

/// One run of Tutti's own programs in a lab.
package struct TuttiRun {
    /// Microseconds between two looks at the player and the script.
    private static let interval: UInt32 = 20_000
    /// Seconds between two questions for the status while a song plays.
    private static let statusInterval = 1.0
    /// Seconds between the end of the song before and the command to play.
    private static let pause: UInt32 = 5
    /// The port of the speakers.
    package static let port: UInt16 = 7700

    let bench: BenchCase
    let session: LabSession
    let song: BenchSong
    let programs: LabPrograms

    /// Plays or loads the case's song and fills in the result.
    package func run(_ result: inout BenchResult) throws(LabError) {
        let service = bench.servedAfter != nil ? LabService(session, programs) : nil
        let script = BenchScript(bench.events, session: session, service: service, tutti: programs.tutti) {
            room, count throws(LabError) in
            try startSpeaker(room, count: count)
        }
        defer { script.end() }
        if let live = bench.live {
            try session.addLine(playing: song.wave, ppm: live.ppm, plugin: programs.linePlugin)
        }
        for room in bench.rooms where room.isThere { try script.start(room.name) }
        for speaker in script.speakers.values { try session.waitForPort(Self.port, of: speaker, seconds: 5) }
        let crowd = try startCrowd()
        defer { crowd.end() }
        if let acquaintance = bench.acquaintance { try playBefore(acquaintance, crowd) }
        let spinners = try Spinners(bench.spinners, session)
        let watch = StallWatch()
        defer {
            spinners.end()
            watch.end()
        }
        let player: ChildProcess
        if let service { player = try service.start() } else { player = try startPlayer(song, crowd, name: "tutti") }
        defer { player.stop(signal: SIGINT) }
        script.sender = player
        let silence = bench.rooms.contains { $0.place == .elsewhere } ? try silence() : nil
        let command = try service?.play(queue(song), of: bench, silence: silence) ?? player.started
        let statusFile = "\(session.directory)/status.jsonl"
        result.statusFile = statusFile
        let meter = LoadMeter(
            processes: [("tutti", player)] + script.speakers.map { ("tutti-speaker \($0.key)", $0.value) })
        if bench.work == .steer {
            let commands = try steer()
            result.stallMilliseconds = watch.milliseconds
            player.stop(signal: SIGINT)
            script.end()
            result.steering = try BenchRunner.judge(session, song, commands, since: command)
            return
        }
        let play = Play(
            player: player, command: command, service: service, script: script, crowd: crowd, statusFile: statusFile)
        let ending = try follow(play, meter: meter, &result)
        result.feedings = service?.feedings
        result.stallMilliseconds = watch.milliseconds
        result.loads = meter.loads
        if bench.crowd > 0 { result.crowd = crowd.figures(besides: bench.rooms.count) }
        result.events = script.records
        spinners.end()
        switch bench.work {
        case .load:
            if result.loadedMilliseconds == nil { throw .timedOut("loading \(Int(song.seconds)) s") }
        case .play:
            if case .exited(let code) = ending {
                result.exitCode = code
            } else if !script.isSenderKilled, service == nil, bench.lastSecond == nil {
                throw .runFailed("tutti play: \(lastWords("tutti"))")
            }
            script.end()
            result.take(try BenchRunner.compare(session, song, command: command), of: bench)
        case .steer: break
        }
    }

    /// Starts the speaker of a room; each start has a log of its own.
    private func startSpeaker(_ room: String, count: Int) throws(LabError) -> ChildProcess {
        try session.start(
            [
                programs.speaker, "--name", room, "--device", "default", "--port", String(Self.port), "--no-mdns",
                "--state-dir", "\(session.folder(of: room))/state",
            ] + bench.flags.speakers + (bench.rooms.first { $0.name == room }?.flags ?? []), on: room,
            name: count == 1 ? "tutti-speaker" : "tutti-speaker-\(count)")
    }

    /// Plays another song to its end, so that speakers, clocks and cards know each other.
    private func playBefore(_ seconds: Double, _ crowd: Crowd) throws(LabError) {
        let before = try BenchSong(
            seconds: seconds, rate: song.rate,
            directory: URL(fileURLWithPath: song.wave).deletingLastPathComponent().path)
        let player = try startPlayer(before, crowd, name: "tutti-before")
        guard player.wait(seconds: seconds + BenchRunner.patience) == .exited(code: 0) else {
            player.stop(signal: SIGINT)
            throw .runFailed("tutti play before: \(lastWords("tutti-before"))")
        }
        sleep(Self.pause)
    }

    /// Gives the command to play.
    private func startPlayer(_ song: BenchSong, _ crowd: Crowd, name: String) throws(LabError) -> ChildProcess {
        var arguments = [programs.tutti, "play"] + queue(song) + ["--standalone"] + bench.flags.play
        if bench.rooms.contains(where: { !$0.isThere }) { arguments.append("--any") }
        for room in bench.rooms {
            arguments += ["--room", "\(room.name)@\(try session.hosts.address(of: room.name)):\(Self.port)"]
        }
        for endpoint in crowd.endpoints { arguments += ["--room", endpoint] }
        return try session.start(arguments, on: LabSession.sender, name: name)
    }

    /// Starts the rooms that are not measured.
    private func startCrowd() throws(LabError) -> Crowd {
        try Crowd(bench.crowd, in: session, listens: true, isTogether: true) { _, port in
            [
                programs.laboratory, "crowd", "--count", String(bench.crowd), "--first-port", String(port),
                "--state-dir", "\(session.folder(of: LabSession.sender))/crowd",
            ]
        }
    }

    /// What is played one after the other.
    private func queue(_ song: BenchSong) -> [String] {
        if let live = bench.live { return ["alsa:line?latency=\(live.latency)ms"] }
        return song.pieces + (bench.work == .steer ? song.pieces.prefix(1) : [])
    }

    /// A file of nothing, as long as the song.
    private func silence() throws(LabError) -> String {
        let path = "\(session.directory)/silence"
        let frames = [Float](repeating: 0, count: Int(song.seconds) * song.rate)
        try LabError.failing {
            try WaveFile(sampleRate: song.rate, channels: [frames, frames]).write(to: path + ".wav")
        }
        try Tool.run(["flac", "-s", "-f", "-o", path + ".flac", path + ".wav"])
        return path + ".flac"
    }

    /// What `tutti status --json` says now, nil when it says nothing of use.
    private func status(_ play: Play) throws(LabError) -> PlayerStatus? {
        let host = play.service?.host ?? LabSession.sender
        let output = "\(session.folder(of: host))/status.json"
        let group = play.service == nil ? [] : ["--group", LabService.group]
        let ending = try session.start(
            [programs.tutti, "status", "--json"] + group, on: host, name: "status", output: output
        ).wait(seconds: 2)
        guard ending == .exited(code: 0), let data = FileManager.default.contents(atPath: output) else { return nil }
        if let handle = FileHandle(forWritingAtPath: play.statusFile) ?? Self.created(play.statusFile) {
            handle.seekToEndOfFile()
            handle.write(data)
            try? handle.close()
        }
        return try? JSONDecoder().decode(PlayerStatus.self, from: data)
    }

    private static func created(_ path: String) -> FileHandle? {
        FileManager.default.createFile(atPath: path, contents: nil) ? FileHandle(forWritingAtPath: path) : nil
    }

    /// A song under way.
    private struct Play {
        /// The player, or the service as it was started first.
        let player: ChildProcess
        /// When the command to play was given, ns of CLOCK_MONOTONIC_RAW.
        let command: Int64
        let service: LabService?
        let script: BenchScript
        let crowd: Crowd
        let statusFile: String
    }

    /// Does what the script says and asks for the status until the player ends, the time is up or, for loading, all is
    /// loaded.
    private func follow(
        _ play: Play, meter: LoadMeter, _ result: inout BenchResult
    ) throws(LabError) -> ChildProcess.Ending? {
        let (player, script) = (play.player, play.script)
        var nextStatus = 0.0
        while player.isRunning || script.isSenderKilled {
            let elapsed = Double(MonotonicRaw.now() - play.command) / 1e9
            // A line-in has no end: it is heard for as long as its song is.
            let last = bench.live == nil ? bench.lastSecond : song.seconds
            guard elapsed < last ?? song.seconds + BenchRunner.patience else { break }
            if script.killsSender(at: elapsed) { play.service?.noteHeld(try status(play)) }
            try script.perform(at: elapsed)
            let isAwaited = play.service?.isFeedingAwaited ?? false
            if script.sender?.isRunning ?? false, elapsed >= nextStatus || isAwaited {
                nextStatus = elapsed + (bench.work == .load ? 0 : Self.statusInterval)
                let status = try status(play)
                play.service?.look(status)
                // The last packet's end may be a frame short of the song's by rounding.
                if status?.isLoaded(to: song.seconds - 0.05) == true, result.loadedMilliseconds == nil {
                    result.loadedMilliseconds = Double(MonotonicRaw.now() - play.command) / 1e6
                    if bench.work == .load { return nil }
                }
                // What many rooms cost is asked once all of them hold the song.
                if let position = status?.position, bench.crowd == 0 || result.loadedMilliseconds != nil {
                    meter.observe(position: position, of: song.seconds)
                    play.crowd.observe(position: position, of: song.seconds, sender: player)
                }
            }
            usleep(Self.interval)
        }
        return player.poll()
    }

    func lastWords(_ name: String) -> String {
        let log = "\(session.folder(of: LabSession.sender))/\(name).log"
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").last.map(String.init) ?? "no output"
    }
}
