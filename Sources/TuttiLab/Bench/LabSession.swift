import Foundation
import TuttiCards

/// The hosts of one run with their cards: a sender `s` and the case's rooms, and a folder for all that they write.
package final class LabSession {
    package let hosts: LabHosts
    package let directory: String
    package let rooms: [BenchCase.Room]

    /// The sender's host.
    package static let sender = "s"
    /// A host that another sender may run on.
    package static let spare = "s2"

    /// Brings the hosts up and writes the cards' configurations.
    /// - Parameters:
    ///   - senderLink: the link of the senders' hosts.
    ///   - directory: made anew; what was in it is removed.
    ///   - cardRate: the only rate that the cards take; nil for any.
    ///   - hasSpare: whether there is a second host for senders.
    package init(
        rooms: [BenchCase.Room], senderLink: LinkProfile = .direct, seed: UInt64, directory: String, cardPlugin: String,
        cardRate: Int? = nil,
        hasSpare: Bool = false
    ) throws(LabError) {
        let senders = [Self.sender] + (hasSpare ? [Self.spare] : [])
        self.rooms = rooms
        self.directory = directory
        let files = FileManager.default
        do {
            if files.fileExists(atPath: directory) { try files.removeItem(atPath: directory) }
            for host in senders + rooms.map(\.name) {
                try files.createDirectory(
                    atPath: "\(directory)/\(host)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            for room in rooms {
                let card = LabCard(
                    name: room.name, directory: directory, ppm: room.ppm, kind: room.card,
                    rate: room.traits.rate ?? cardRate,
                    traits: room.traits)
                try card.configuration(plugin: cardPlugin).write(
                    toFile: "\(directory)/\(room.name)/asoundrc", atomically: true, encoding: .utf8)
            }
        } catch {
            throw .runFailed("cannot write in \(directory): \(error.localizedDescription)")
        }
        hosts = try LabHosts(
            senders.map { LabHosts.Host($0, senderLink) } + rooms.map { LabHosts.Host($0.name, $0.profile) },
            seed: seed,
            keepsAwake: true)
    }

    /// Gives the sender's host a card `line` that records what a WAV file of 16 bits has.
    package func addLine(playing wave: String, ppm: Double, plugin: String) throws(LabError) {
        let lines = [
            "</usr/share/alsa/alsa.conf>",
            "pcm_type.tutti_lab_in { lib \"\(plugin)\" }",
            "pcm.line { type tutti_lab_in  name \"line\"  directory \"\(directory)\"  source \"\(wave)\"  ppm \(ppm) }",
            "",
        ]
        do {
            try lines.joined(separator: "\n").write(
                toFile: Self.configuration(in: folder(of: Self.sender)), atomically: true, encoding: .utf8)
        } catch {
            throw .runFailed("cannot write in \(directory): \(error.localizedDescription)")
        }
    }

    /// Where a host's cards are described.
    private static func configuration(in folder: String) -> String { "\(folder)/asoundrc" }

    /// Ends everything that runs in the hosts and removes them. Call it once.
    package func close() {
        hosts.close()
    }

    /// The folder of a host's own files.
    package func folder(of host: String) -> String { "\(directory)/\(host)" }

    /// The truth logs of the cards, in the order of the rooms.
    package var cardLogs: [String] {
        rooms.map { LabCard(name: $0.name, directory: directory).logPath }
    }

    /// Removes what the cards recorded, which is most of what a run leaves behind.
    package func removeRecordings() {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] where name.hasSuffix(".wav") {
            try? files.removeItem(atPath: "\(directory)/\(name)")
        }
    }

    /// Starts a program on a host, with that host's card, clock and folders; its output goes to `NAME.log` in the
    /// folder.
    package func start(
        _ arguments: [String], on host: String, name: String, output: String? = nil, input: Int32? = nil
    ) throws(LabError) -> ChildProcess {
        let folder = folder(of: host)
        var environment = [
            "HOME": folder, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": "\(folder)/state",
            "XDG_CONFIG_HOME": "\(folder)/config",
        ]
        let configuration = Self.configuration(in: folder)
        if FileManager.default.fileExists(atPath: configuration) { environment["ALSA_CONFIG_PATH"] = configuration }
        if let room = rooms.first(where: { $0.name == host }) {
            environment["TUTTI_TEST_CLOCK"] = room.clock
        }
        return try hosts.start(
            arguments, on: host, environment: environment, log: "\(folder)/\(name).log", output: output, input: input)
    }

    /// Waits until a process's host listens on a port.
    package func waitForPort(_ port: UInt16, of process: ChildProcess, seconds: Double) throws(LabError) {
        let deadline = MonotonicRaw.now() + Int64(seconds * 1e9)
        while !ListeningSocket.exists(port: port, besideProcess: process.id) {
            if let ending = process.poll() {
                throw .runFailed("\(process.arguments.joined(separator: " ")): \(ending)")
            }
            guard MonotonicRaw.now() < deadline else { throw .timedOut("port \(port)") }
            usleep(2_000)
        }
    }
}
