import Foundation
import Glibc

/// One run of Tutti's own programs in a lab.
package struct TuttiRun {
    /// Seconds between two questions for the status.
    private static let interval: UInt32 = 200_000
    /// The port of the speakers.
    package static let port: UInt16 = 7700

    let bench: BenchCase
    let session: LabSession
    let song: BenchSong
    let programs: LabPrograms

    package init(bench: BenchCase, session: LabSession, song: BenchSong, programs: LabPrograms) {
        self.bench = bench
        self.session = session
        self.song = song
        self.programs = programs
    }

    /// Plays or loads the case's song and fills in the result.
    package func run(_ result: inout BenchResult) throws(LabError) {
        let speakers = try startSpeakers()
        let player = try startPlayer()
        defer {
            player.stop(signal: SIGINT)
            for speaker in speakers { speaker.stop() }
        }
        let statusFile = "\(session.directory)/status.jsonl"
        result.statusFile = statusFile
        let names = ["tutti"] + bench.rooms.map { "tutti-speaker \($0.name)" }
        let meter = LoadMeter(processes: Array(zip(names, [player] + speakers)))
        let ending = try watch(player, statusFile: statusFile, meter: meter, &result)
        result.loads = meter.loads
        switch bench.work {
        case .load:
            if result.loadedMilliseconds == nil { throw .timedOut("loading \(Int(song.seconds)) s") }
        case .play:
            guard case .exited(let code) = ending else { throw .runFailed("tutti play: \(lastWords("tutti"))") }
            result.exitCode = code
            for speaker in speakers { speaker.stop() }
            let report = try BenchRunner.compare(session, song, command: player.started)
            result.commandToSoundMilliseconds = report.rooms.compactMap(\.commandToSoundMilliseconds).max()
            result.comparison = report
        }
    }

    /// Starts a speaker on every host; returns when all listen.
    package func startSpeakers() throws(LabError) -> [ChildProcess] {
        var speakers: [ChildProcess] = []
        for room in bench.rooms {
            speakers.append(
                try session.start(
                    [
                        programs.speaker, "--name", room.name, "--device", "default", "--port", String(Self.port),
                        "--no-mdns",
                        "--state-dir", "\(session.folder(of: room.name))/state",
                    ], on: room.name, name: "tutti-speaker"))
        }
        for speaker in speakers { try session.waitForPort(Self.port, of: speaker, seconds: 5) }
        return speakers
    }

    /// Gives the command to play.
    package func startPlayer() throws(LabError) -> ChildProcess {
        var arguments = [programs.tutti, "play", song.flac, "--standalone"]
        for room in bench.rooms {
            arguments += ["--room", "\(room.name)@\(try session.hosts.address(of: room.name)):\(Self.port)"]
        }
        return try session.start(arguments, on: LabSession.sender, name: "tutti")
    }

    /// What `tutti status --json` says now, nil when it says nothing of use.
    package func status(into file: String) throws(LabError) -> SenderStatus? {
        let output = "\(session.folder(of: LabSession.sender))/status.json"
        let ending = try session.start(
            [programs.tutti, "status", "--json"], on: LabSession.sender, name: "status", output: output
        ).wait(seconds: 2)
        guard ending == .exited(code: 0), let data = FileManager.default.contents(atPath: output) else { return nil }
        if let handle = FileHandle(forWritingAtPath: file) ?? Self.created(file) {
            handle.seekToEndOfFile()
            handle.write(data)
            try? handle.close()
        }
        return try? JSONDecoder().decode(SenderStatus.self, from: data)
    }

    private static func created(_ path: String) -> FileHandle? {
        FileManager.default.createFile(atPath: path, contents: nil) ? FileHandle(forWritingAtPath: path) : nil
    }

    /// Asks for the status until the player ends or, for loading, all is loaded.
    private func watch(
        _ player: ChildProcess, statusFile: String, meter: LoadMeter, _ result: inout BenchResult
    ) throws(LabError) -> ChildProcess.Ending? {
        let deadline = player.started + Int64((song.seconds + BenchRunner.patience) * 1e9)
        while player.isRunning, MonotonicRaw.now() < deadline {
            let status = try status(into: statusFile)
            let elapsed = Double(MonotonicRaw.now() - player.started) / 1e6
            // The last packet's end may be a frame short of the song's by rounding.
            if status?.isLoaded(to: song.seconds - 0.05) == true, result.loadedMilliseconds == nil {
                result.loadedMilliseconds = elapsed
                if bench.work == .load { return nil }
            }
            if let position = status?.position { meter.observe(position: position, of: song.seconds) }
            usleep(bench.work == .load ? Self.interval / 10 : Self.interval)
        }
        return player.poll()
    }

    private func lastWords(_ name: String) -> String {
        let log = "\(session.folder(of: LabSession.sender))/\(name).log"
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").last.map(String.init) ?? "no end and no word"
    }
}
