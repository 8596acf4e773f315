import Foundation
import Glibc

/// Rooms on the sender's own host that have no card: they make a house large, and nobody listens to them.
///
/// Tutti's are `tutti-lab crowd`: speakers in every respect but sound, in one process. Snapcast's are clients that
/// write to nowhere.
package final class Crowd {
    /// What the rooms of a crowd, and all together, used while the song played and nothing was loaded any more.
    package struct Figures: Sendable, Codable, Equatable {
        /// How many rooms there were besides those that are measured.
        package var rooms: Int
        /// Percent of one core, and megabytes (10⁶) resident, of a room; the mean.
        package var processorPercent: Double
        package var residentMegabytes: Double
        /// Kilobytes (10³) a second that the sender's host sent, to itself as well, for each room of the song.
        package var kilobytesPerSecond: Double
        /// Lines in the longest log of a measured room.
        package var logLines: Int
    }

    /// What each room's endpoint is, as `--room` takes it.
    let endpoints: [String]
    /// Of how many rooms it is.
    private let count: Int
    private let processes: [ChildProcess]
    private let session: LabSession
    private let meter: LoadMeter
    private var traffic: (first: (time: Int64, bytes: Int)?, last: (time: Int64, bytes: Int)?)

    /// The first room's port.
    private static let firstPort: UInt16 = 20_001
    /// Seconds until the last one listens.
    private static let patience = 60.0

    /// Starts so many rooms, and waits until they listen where they are to.
    ///
    /// - Parameters:
    ///   - listens: whether each listens on its port.
    ///   - isTogether: whether one process is all of them.
    ///   - arguments: the program of a room, and what it is told; of the first one, where one is all.
    init(
        _ count: Int, in session: LabSession, listens: Bool, isTogether: Bool = false,
        _ arguments: (_ name: String, _ port: UInt16) -> [String]
    ) throws(LabError) {
        self.session = session
        self.count = count
        var (processes, endpoints): ([ChildProcess], [String]) = ([], [])
        for index in 0..<count {
            let (name, port) = (Self.name(index), Self.firstPort + UInt16(index))
            if index == 0 || !isTogether {
                processes.append(try session.start(arguments(name, port), on: LabSession.sender, name: name))
            }
            endpoints.append("\(name)@127.0.0.1:\(port)")
        }
        (self.processes, self.endpoints) = (processes, endpoints)
        meter = LoadMeter(processes: processes.map { ("crowd", $0) })
        guard listens else { return }
        for index in endpoints.indices {
            let process = processes[isTogether ? 0 : index]
            try session.waitForPort(Self.firstPort + UInt16(index), of: process, seconds: Self.patience)
        }
    }

    private static func name(_ index: Int) -> String { "c\(index + 1)" }

    /// Takes note of what is used when the song at `position` of `seconds` is in its middle.
    ///
    /// - Parameter sender: a process of the sender's host.
    func observe(position: Double, of seconds: Double, sender: ChildProcess) {
        guard meter.observe(position: position, of: seconds) else { return }
        guard let bytes = NetworkUsage.bytesSent(besideProcess: sender.id) else { return }
        let now = (time: MonotonicRaw.now(), bytes: bytes)
        traffic = (traffic.first ?? now, now)
    }

    /// What was used; nil before it was observed twice.
    ///
    /// - Parameter others: how many rooms play besides.
    func figures(besides others: Int) -> Figures? {
        let loads = meter.loads
        guard let first = traffic.first, let last = traffic.last, last.time > first.time else { return nil }
        func mean(_ value: (ProcessLoad) -> Double) -> Double {
            loads.isEmpty ? 0 : loads.map(value).reduce(0, +) / Double(count)
        }
        let rate = Double(last.bytes - first.bytes) / (Double(last.time - first.time) / 1e9)
        return Figures(
            rooms: count, processorPercent: mean(\.processorPercent),
            residentMegabytes: mean(\.residentMegabytes),
            kilobytesPerSecond: rate / 1e3 / Double(max(1, count + others)), logLines: longestLog)
    }

    /// Lines of the log of the measured room that has said most: rooms of a crowd may share one.
    private var longestLog: Int {
        session.rooms.map { room in
            let folder = session.folder(of: room.name)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return files.filter { $0.hasSuffix(".log") }.reduce(0) { sum, log in
                let text = (try? String(contentsOfFile: "\(folder)/\(log)", encoding: .utf8)) ?? ""
                return sum + text.split(separator: "\n").count
            }
        }.max() ?? 0
    }

    /// Ends them.
    func end() {
        for process in processes { process.send(SIGTERM) }
        for process in processes { process.stop() }
    }
}
