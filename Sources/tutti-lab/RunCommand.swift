import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab run`: a command on each of some hosts with virtual cards, then the comparison of what they played.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs commands on hosts with virtual cards, and compares what the cards played.",
        discussion: """
            The sender's host is s at 10.77.0.1; the rooms follow. Commands are HOST:COMMAND, and shells run them in \
            the given order. A command for `rooms` runs in every room. {name} and {dir} become the host's name and \
            folder. When the last command ends, the others are stopped. Example with ALSA's own player:
              tutti-lab run --source song.wav --room h1=lan,0 --room h2=lan,80 rooms:'aplay -q song.wav' s:'sleep 12'
            """)

    @OptionGroup var options: LabOptions

    @Option(name: .customLong("room"), help: "NAME=PROFILE,PPM[,KIND[,CLOCK…]]; repeat for each room.")
    var roomTexts: [String] = ["h1=lan,0", "h2=lan,80", "h3=lan,-60"]

    @Option(help: "The song to compare with, a WAV file. Without it, nothing is compared.")
    var source: String?

    @Option(help: "The seed of all delays, stalls and losses.")
    var seed: UInt64 = 1

    @Argument(help: "HOST:COMMAND, or rooms:COMMAND.")
    var commands: [String]

    func run() throws {
        let programs = options.programs()
        if let missing = programs.missingCard { throw missing }
        let session = try LabSession(
            rooms: try roomTexts.map(Self.room), seed: seed, directory: try options.outputFolder() + "/run",
            cardPlugin: programs.cardPlugin)
        defer { session.close() }
        var started: [ChildProcess] = []
        for (index, text) in commands.enumerated() {
            for (host, command) in try Self.expand(text, session) {
                started.append(try session.start(["sh", "-c", command], on: host, name: "command-\(index + 1)"))
            }
        }
        guard let last = started.last else { throw ValidationError("no command; use HOST:COMMAND") }
        let ending = last.wait()
        for process in started.dropLast().reversed() { process.stop() }
        print("last command: \(ending); logs in \(session.directory)")
        if let source {
            let cards = try session.cardLogs.map { path in try CardRecording(path: path) }
            let comparison = Comparison(source: try WaveFile(path: source), cards: cards, commandTime: last.started)
            print(comparison.report().table)
        }
        if ending != .exited(code: 0) { throw ExitCode.failure }
    }

    private static func expand(_ text: String, _ session: LabSession) throws -> [(host: String, command: String)] {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("\(text): not HOST:COMMAND") }
        let hosts = parts[0] == "rooms" ? session.rooms.map(\.name) : [parts[0]]
        return hosts.map { host in
            (host, parts[1].replacing("{name}", with: host).replacing("{dir}", with: session.folder(of: host)))
        }
    }

    private static func room(_ text: String) throws -> BenchCase.Room {
        let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
        let fields = halves.count == 2 ? halves[1].split(separator: ",", maxSplits: 3).map(String.init) : []
        guard fields.count >= 2, let profile = LinkProfile.named(fields[0]), let ppm = Double(fields[1]),
            let card = LabCard.Kind(rawValue: fields.count > 2 ? fields[2] : LabCard.Kind.exact.rawValue)
        else { throw ValidationError("\(text): not NAME=PROFILE,PPM[,KIND[,CLOCK]]") }
        return BenchCase.Room(halves[0], profile, ppm: ppm, card: card, clock: fields.count > 3 ? fields[3] : nil)
    }
}
