import Foundation
import Glibc

/// One run of Snapcast in the same lab: the same hosts, links, cards and song.
///
/// The song goes through the server's pipe source, which reads at real time and lets its writer wait.
package struct SnapcastRun {
    private static let port: UInt16 = 1704
    /// Seconds that the clients have to connect and agree on the time before there is sound; far more than it takes.
    private static let warmUp: UInt32 = 3
    /// Seconds after the pipe's end until the last sound has left: Snapcast's buffer of one second and more.
    private static let drain: UInt32 = 3

    let bench: BenchCase
    let session: LabSession
    let song: BenchSong

    /// Whether Snapcast's programs are installed.
    package static var isInstalled: Bool { ["snapserver", "snapclient"].allSatisfy(Tool.isInstalled) }

    /// "snapcast 0.26.0", by what the server says.
    package static var version: String {
        let text = (try? Tool.run(["snapserver", "--version"])) ?? ""
        let word = text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("v") }
        return "snapcast \(word?.dropFirst() ?? "of an unknown version")"
    }

    /// Plays the case's song and fills in the result.
    package func run(_ result: inout BenchResult) throws(LabError) {
        let pipe = "\(session.folder(of: LabSession.sender))/pipe"
        let server = try startServer(pipe)
        var clients: [ChildProcess] = []
        defer { for process in clients + [server] { process.stop() } }
        try session.waitForPort(Self.port, of: server, seconds: 5)
        let address = try session.hosts.address(of: LabSession.sender)
        for room in bench.rooms {
            clients.append(
                try session.start(
                    ["snapclient", "-h", address, "-s", "default", "--hostID", room.name], on: room.name,
                    name: "snapclient"))
        }
        // Every client wants an instance of its own on a host; one that writes to nowhere is paced as a card would pace
        // it.
        let crowd = try Crowd(bench.crowd, in: session, listens: false) { name, port in
            [
                "snapclient", "-h", "127.0.0.1", "--instance", String(port), "--hostID", name, "--player",
                "file:filename=/dev/null",
            ]
        }
        defer { crowd.end() }
        sleep(Self.warmUp)
        let names = ["snapserver"] + bench.rooms.map { "snapclient \($0.name)" }
        let spinners = try Spinners(bench.spinners, session)
        let watch = StallWatch()
        defer {
            spinners.end()
            watch.end()
        }
        let meter = LoadMeter(processes: Array(zip(names, [server] + clients)))
        // The samples begin after the 44 bytes of the header that the lab writes.
        let feeder = try session.start(
            ["sh", "-c", "exec tail -c +45 \"$0\" >\"$1\"", song.wave, pipe], on: LabSession.sender, name: "feeder")
        while feeder.isRunning {
            let elapsed = Double(MonotonicRaw.now() - feeder.started) / 1e9
            guard elapsed < song.seconds + BenchRunner.patience else { throw .timedOut("feeding Snapcast's pipe") }
            meter.observe(position: elapsed, of: song.seconds)
            crowd.observe(position: elapsed, of: song.seconds, sender: server)
            usleep(200_000)
        }
        sleep(Self.drain)
        result.loads = meter.loads
        if bench.crowd > 0 { result.crowd = crowd.figures(besides: bench.rooms.count) }
        result.stallMilliseconds = watch.milliseconds
        spinners.end()
        for client in clients { client.stop() }
        result.take(try BenchRunner.compare(session, song, command: feeder.started), of: bench)
    }

    private func startServer(_ pipe: String) throws(LabError) -> ChildProcess {
        let folder = session.folder(of: LabSession.sender)
        let configuration = "\(folder)/snapserver.conf"
        guard FileManager.default.createFile(atPath: configuration, contents: nil) else {
            throw .runFailed("cannot write \(configuration)")
        }
        return try session.start(
            [
                "snapserver", "--config", configuration, "--server.datadir", folder, "--http.enabled", "false",
                "--tcp.enabled",
                "false", "--stream.source",
                "pipe://\(pipe)?name=lab&mode=create&sampleformat=\(song.rate):16:2&codec=flac",
            ], on: LabSession.sender, name: "snapserver")
    }
}
