import Foundation
import Glibc
import Testing
import TuttiLab

/// Speakers and players of this machine's own on loopback, with folders of their own; no root is needed.
///
/// Speakers record what they play beside the truth about when; tests judge by the recordings.
final class Household {
    /// How a command ended.
    struct Outcome {
        var ending: ChildProcess.Ending?
        var text: String
        var seconds: Double

        /// The exit status; nil when it was killed or did not end in time.
        var code: Int32? { if case .exited(let code) = ending { code } else { nil } }
        /// What a failure shows.
        var comment: Comment { "\(String(describing: ending)) after \(seconds) s:\n\(text)" }
        /// The program's own complaints.
        var complaints: [Substring] { text.split(separator: "\n").filter { $0.hasPrefix("tutti") } }
    }

    /// A running speaker.
    struct Speaker {
        var name: String
        var port: UInt16
        var process: ChildProcess
        var recording: String
        var log: String

        /// As `--room` takes it.
        var room: String { "\(name)@127.0.0.1:\(port)" }
        var words: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
    }

    let folder: String
    private(set) var speakers: [Speaker] = []
    private var processes: [ChildProcess] = []
    private var count = 0

    init(_ name: String) throws {
        folder = try LabSite.folder(name)
        try FileManager.default.createDirectory(atPath: folder + "/run", withIntermediateDirectories: true)
    }

    deinit { for process in processes { process.stop() } }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Starts a speaker that records at 48 kHz and 16 bits what it is sent, bit for bit, and waits until it listens.
    ///
    /// - Parameters:
    ///   - buffer: how much it holds ahead; nil for what it holds unless asked otherwise.
    ///   - port: where it listens; 0 for a free one.
    @discardableResult
    func startExactSpeaker(_ name: String, buffer: String? = nil, port: UInt16 = 0) throws -> Speaker {
        let wave = path(name + ".wav")
        let state = path(name)
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try #"{"id":"\#(name)","volume":100}"#
            .write(toFile: state + "/speaker.json", atomically: true, encoding: .utf8)
        return try startSpeaker(
            name, device: "file:\(wave)?rate=48000&bits=16", port: port, recording: wave, log: path(name + ".log"),
            environment: environment(), flags: ["--correction", "off"] + (buffer.map { ["--buffer", $0] } ?? []))
    }

    /// Starts a speaker that records, and waits until it listens.
    @discardableResult
    func startSpeaker(_ name: String, ppm: Double = 0, port: UInt16 = 0, recording: String? = nil) throws -> Speaker {
        let wave = path((recording ?? name) + ".wav")
        return try startSpeaker(
            name, device: "file:\(wave)?ppm=\(ppm)", port: port, recording: wave,
            log: path((recording ?? name) + ".log"),
            environment: environment())
    }

    /// Starts a speaker on a virtual card, and waits until it listens.
    ///
    /// - Parameter plugin: where the card's own program is, if not where it was built; there is no card while it is not
    ///   there.
    @discardableResult
    func startSpeaker(on card: LabCard, plugin: String? = nil) throws -> Speaker {
        let configuration = path(card.name + ".asoundrc")
        try card.configuration(plugin: plugin ?? LabSite.programs.cardPlugin)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        var own = environment()
        own["ALSA_CONFIG_PATH"] = configuration
        return try startSpeaker(
            card.name, device: "default", port: 0, recording: path(card.name + ".log"),
            log: path(card.name + "-speaker.log"), environment: own,
            flags: card.outputDelay == 0 ? [] : ["--output-delay", "\(card.outputDelay)"])
    }

    /// Starts a speaker that nobody hears, and waits until it listens.
    ///
    /// - Parameter buffer: how much it holds ahead, as in `25m`.
    @discardableResult
    func startNullSpeaker(_ name: String, buffer: String) throws -> Speaker {
        try startSpeaker(
            name, device: "null", port: 0, recording: "", log: path(name + ".log"), environment: environment(),
            flags: ["--buffer", buffer])
    }

    private func startSpeaker(
        _ name: String, device: String, port: UInt16, recording: String, log: String, environment: [String: String],
        flags: [String] = []
    ) throws -> Speaker {
        let process = try ChildProcess(
            [
                LabSite.programs.speaker, "--name", name, "--device", device, "--port", "\(port)", "--no-mdns",
                "--state-dir", path(name),
            ] + flags, environment: environment, output: log, errors: log)
        processes.append(process)
        var speaker = Speaker(name: name, port: port, process: process, recording: recording, log: log)
        let isReady = eventually(within: 5) {
            speaker.words.contains("speaker ready")
        }
        let said = speaker.words.firstMatch(of: #/port=([0-9]+)/#).flatMap { UInt16($0.output.1) }
        speaker.port = try #require(said, "the speaker listens (\(isReady)): \(speaker.words)")
        speakers.append(speaker)
        return speaker
    }

    /// Starts `tutti` in the background with its output in a file; `user` keeps several players apart.
    ///
    /// - Parameter extra: more of its environment.
    func start(
        _ arguments: [String], user: String = "run", input: Int32? = nil, extra: [String: String] = [:]
    ) throws -> (ChildProcess, String) {
        count += 1
        let output = path("tutti-\(count).txt")
        let process = try ChildProcess(
            [LabSite.programs.tutti] + arguments, environment: environment(user).merging(extra) { $1 }, input: input,
            output: output, errors: output)
        processes.append(process)
        return (process, output)
    }

    /// Waits for the end of what `start` began.
    func finish(_ started: (ChildProcess, String), within seconds: Double = 20) -> Outcome {
        let ending = started.0.wait(seconds: seconds)
        let elapsed = Double(MonotonicRaw.now() - started.0.started) / 1e9
        let text = (try? String(contentsOfFile: started.1, encoding: .utf8)) ?? ""
        return Outcome(ending: ending, text: text, seconds: elapsed)
    }

    /// Runs `tutti` to its end.
    func tutti(_ arguments: String..., within seconds: Double = 20) throws -> Outcome {
        finish(try start(arguments), within: seconds)
    }

    /// Runs `tutti-speaker` to its end.
    func speaker(_ arguments: [String]) throws -> Outcome {
        count += 1
        let output = path("speaker-\(count).txt")
        let process = try ChildProcess(
            [LabSite.programs.speaker] + arguments, environment: environment(), output: output, errors: output)
        processes.append(process)
        return finish((process, output), within: 5)
    }

    /// `--room` for all speakers.
    var rooms: [String] { speakers.flatMap { ["--room", $0.room] } }

    /// Has a speaker be gone, as when its power goes.
    func kill(_ speaker: Speaker) {
        speaker.process.send(SIGKILL)
        #expect(speaker.process.wait(seconds: 2) == .killed(signal: SIGKILL))
        speakers.removeAll { $0.process.id == speaker.process.id }
    }

    /// Ends the speakers, so that their recordings are whole.
    func endSpeakers() {
        for speaker in speakers {
            let ending = speaker.process.stop(signal: SIGINT)
            #expect(ending == .exited(code: 0), "\(speaker.words)")
        }
    }

    /// Measures recordings against `source`.
    func compare(_ source: WaveFile, _ recordings: [String]? = nil) throws -> ComparisonReport {
        Comparison(
            source: source,
            cards: try (recordings ?? speakers.map(\.recording)).map { path in try CardRecording(path: path) }
        ).report()
    }

    /// Looks until `condition` holds; false when it does not within the time.
    func eventually(within seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = MonotonicRaw.now() + Int64(seconds * 1e9)
        repeat {
            if try condition() { return true }
            usleep(20_000)
        } while MonotonicRaw.now() < deadline
        return try condition()
    }

    // MARK: Senders

    /// Another sender of this household, with a state folder of its own.
    ///
    /// - Returns: what its environment has besides.
    func addSender(_ name: String) throws -> [String: String] {
        let own = stranger(name)
        try LabHousehold.share(
            of: folders("run"), with: folders(name).merging(own) { $1 }, folder: folder, programs: LabSite.programs)
        return own
    }

    /// A sender that has nothing to do with this household, and makes one of its own at first use.
    ///
    /// - Returns: what its environment has besides.
    func stranger(_ name: String) -> [String: String] { ["XDG_STATE_HOME": path("state-\(name)")] }

    func environment(_ user: String = "run") -> [String: String] {
        ProcessInfo.processInfo.environment.merging(folders(user)) { $1 }
    }

    private func folders(_ user: String) -> [String: String] {
        [
            "HOME": folder, "XDG_RUNTIME_DIR": path(user), "XDG_STATE_HOME": path("state"),
            "XDG_CONFIG_HOME": path("config"),
        ]
    }
}
