import ArgumentParser
import Glibc
import Logging
import NIOCore
import NIOPosix
import TuttiHost
import TuttiWire

/// `tutti-lab crowd`: many rooms to load a sender and a clock, in one process.
struct CrowdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crowd",
        abstract: "Simulates many silent rooms, to measure what rooms cost the sender.",
        discussion: """
            Each room listens on its own TCP and UDP port, receives packets, grants credit, reports its status and \
            takes part in the clock, with the code of tutti-speaker. None decodes or renders. Runs until it gets \
            SIGINT or SIGTERM.
            """)

    @Option(help: "The number of rooms, 1 to 4000.")
    var count = 100

    @Option(help: "The first room's port; the others use the ports after it.")
    var firstPort: UInt16 = 20_001

    @Option(help: "The prefix of the rooms' names, before a number from 1 on.")
    var prefix = "c"

    @Option(help: "The folder for the rooms' state.")
    var stateDir: String

    @Flag(help: "Let everybody in, also in the clear.")
    var open = false

    func validate() throws {
        guard (1...4_000).contains(count), Int(firstPort) + count <= 65_536, firstPort > 0 else {
            throw ValidationError("--count is 1 to 4000, and all ports must be below 65536")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.allowAll()
        LoggingSystem.bootstrap { label in StreamLogHandler.standardError(label: label) }
        let signals = StopSignals()
        let isOpen = open
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        for index in 0..<count {
            let (name, port) = ("\(prefix)\(index + 1)", firstPort + UInt16(index))
            let folder = "\(stateDir)/\(name)"
            let room = try await loop.submit {
                NIOLoopBound(
                    try CrowdRoom(name: name, port: port, directory: folder, isOpen: isOpen, on: loop), eventLoop: loop)
            }.get()
            _ = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(
                    .writeBufferWaterMark, value: .init(low: WireLimits.unreadBytes / 2, high: WireLimits.unreadBytes)
                )
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try room.value.serve(channel)
                    }
                }
                .bind(host: "0.0.0.0", port: Int(port)).get()
        }
        await signals.first()
    }
}
