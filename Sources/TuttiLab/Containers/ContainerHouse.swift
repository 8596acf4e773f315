import Foundation
import Glibc
import TuttiSchema

/// A house in containers: what one does there with `tutti`, what Docker does to it, and what its virtual cards
/// recorded.
///
/// The container that this runs in shares the sender's socket and the folder of the recordings with the others.
package struct ContainerHouse: Sendable {
    /// The rooms, with the sender that plays in them.
    package static let rooms = ["kitchen", "bath", "study"]
    static let sender = "sender"

    /// Where the recordings are, each room's in a folder of its name.
    package let folder: String
    private let engine: DockerEngine
    private let containers: [String: Container]

    /// - Parameters:
    ///   - socket: Docker's.
    ///   - folder: where the recordings are.
    ///   - id: of the container that this runs in, or its beginning.
    package init(socket: String, folder: String, id: String) throws(LabError) {
        self.folder = folder
        engine = DockerEngine(path: socket)
        let all = try engine.house(of: id)
        containers = Dictionary(all.map { ($0.service, $0) }, uniquingKeysWith: { first, _ in first })
        for name in Self.rooms + [Self.sender] where containers[name] == nil { throw .unknownHost(name) }
    }

    // MARK: Docker

    private func container(_ name: String) throws(LabError) -> Container {
        guard let container = containers[name] else { throw .unknownHost(name) }
        return container
    }

    /// Has something done to a room's container or the sender's, as `DockerEngine.order` describes.
    func order(_ action: String, _ name: String) throws(LabError) { try engine.order(action, try container(name)) }

    /// An address that nobody has in the network where a room was at the start.
    func place(for name: String, _ number: Int) throws(LabError) -> String {
        guard let place = try container(name).attachment?.neighbour(number) else {
            throw .runFailed("\(name) has no address")
        }
        return place
    }

    /// Cuts a room off.
    func disconnect(_ name: String) throws(LabError) {
        let container = try container(name)
        guard let network = container.attachment?.network else { throw .runFailed("\(name) is in no network") }
        try engine.disconnect(container, from: network)
    }

    /// Brings it back, with another address.
    func connect(_ name: String, at address: String) throws(LabError) {
        let container = try container(name)
        guard let network = container.attachment?.network else { throw .runFailed("\(name) was in no network") }
        try engine.connect(container, to: network, at: address)
    }

    /// Undoes what a test that could not go on has left behind.
    func restore(_ cutOff: String, at address: String) {
        // Whatever is as it should be already is refused, which is as well.
        for name in Self.rooms + [Self.sender] {
            try? order("unpause", name)
            try? order("start", name)
        }
        try? connect(cutOff, at: address)
        _ = try? tutti("stop", "--group", ContainerTests.group)
    }

    // MARK: tutti

    /// Runs `tutti` to its end.
    @discardableResult
    func tutti(_ arguments: String...) throws(LabError) -> String { try Tool.run(["tutti"] + arguments) }

    /// How the groups stand; none when there is no answer.
    func groups() -> [PlayerStatus] {
        let text = (try? tutti("status", "--json")) ?? ""
        return text.split(separator: "\n").compactMap { line in
            try? JSONDecoder().decode(PlayerStatus.self, from: Data(line.utf8))
        }
    }

    /// Waits until a group is as wanted.
    ///
    /// - Throws: `LabError.timedOut` after so many seconds.
    func wait(for what: String, within seconds: Double, until holds: ([PlayerStatus]) -> Bool) throws(LabError) {
        let deadline = MonotonicRaw.now() + Int64(seconds * 1e9)
        while !holds(groups()) {
            guard MonotonicRaw.now() < deadline else { throw .timedOut("\(what) (\(groups()))") }
            usleep(200_000)
        }
    }

    // MARK: Recordings

    /// What a room's card played between two moments (ns of CLOCK_MONOTONIC_RAW).
    func recording(of room: String, from start: Int64, to end: Int64 = .max) throws(AnalysisError) -> CardRecording {
        try CardRecording(path: "\(folder)/\(room)/\(room).log").cropped(from: start).cropped(to: end)
    }

    /// Writes a song where the sender finds it.
    func write(_ song: WaveFile, _ name: String) throws(LabError) -> String {
        let path = "\(folder)/\(name).wav"
        try LabError.failing { try song.write(to: path) }
        return path
    }
}
