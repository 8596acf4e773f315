import Glibc
import NIOCore
import NIOPosix
import TuttiControl
import TuttiCore
import TuttiHost

/// Takes commands for a player on a Unix socket: a line of JSON each way.
///
/// One player owns the socket of a user at a time. A socket whose owner is gone is replaced.
package struct ControlServer: Sendable {
    private typealias Listener = NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>

    let player: Player
    private let path: String
    private let listener: Listener

    /// Where the socket is.
    package static func path(in runtimeDirectory: String) -> String { runtimeDirectory + "/control.sock" }

    /// Listens for `player`.
    ///
    /// - Throws: `.alreadyPlaying` when another player owns the socket, `.system` when it cannot be made.
    package init(for player: Player, runtimeDirectory: String) async throws(SenderError) {
        self.player = player
        path = Self.path(in: runtimeDirectory)
        do {
            try StatePaths.prepare(runtimeDirectory)
        } catch {
            throw .system(error.description)
        }
        if UnixSocket.connected(to: path, timeoutSeconds: 1) != nil { throw .alreadyPlaying(socket: path) }
        unlink(path)
        do {
            listener = try await ServerBootstrap(group: player.loop)
                .bind(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
                }
        } catch {
            throw .system("the control socket \(path) cannot be made: \(error)")
        }
    }

    /// Serves until the task is cancelled, then removes the socket.
    package func run() async {
        defer { unlink(path) }
        try? await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask { try? await serve(connection) }
                }
            }
        }
    }

    private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var pending: [UInt8] = []
            for try await buffer in inbound {
                // What came before has no end of line.
                var searched = pending.count
                pending.append(contentsOf: buffer.readableBytesView)
                while let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(pending[..<end])
                    pending.removeFirst(end + 1)
                    searched = 0
                    try await answer(line, on: outbound)
                }
                guard pending.count <= ControlRequest.limit else { return }
            }
        }
    }

    private func answer(_ line: [UInt8], on outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws {
        guard let request: ControlRequest = JSONLine.decode(line) else {
            return try await outbound.write(Self.line(ControlResponse(.badOption("this is no request"))))
        }
        if request.command == .stop {
            // The socket goes with the player, which is quick: the answer must have gone before.
            var status = await player.status()
            status.state = .ended
            try await outbound.write(Self.line(ControlResponse(status: status)))
            return await player.stop()
        }
        do throws(SenderError) {
            try await carryOut(request)
        } catch {
            return try await outbound.write(Self.line(ControlResponse(error)))
        }
        var response = ControlResponse(status: await player.status())
        if request.command == .queue { response.queue = await player.listing() }
        try await outbound.write(Self.line(response))
        guard request.command == .watch else { return }
        for await event in await player.events() { try await outbound.write(Self.line(event)) }
    }

    private func carryOut(_ request: ControlRequest) async throws(SenderError) {
        switch request.command {
        case .status, .queue, .watch, .stop: break
        case .pause: try await player.pause()
        case .resume: try await player.resume()
        case .toggle: try await player.toggle()
        case .next: try await player.next()
        case .previous: try await player.previous()
        case .seek:
            guard let target = request.position.flatMap(SeekTarget.init(parsing:)) else {
                throw .badOption("a place is T, +T or -T, in seconds or M:SS")
            }
            try await player.seek(target)
        case .volume:
            guard let change = request.volume.flatMap(VolumeChange.init(parsing:)) else {
                throw .badOption("a volume is N, +N or -N, of 0 to 100")
            }
            try await player.setVolume(change, room: request.room)
        case .mute: try await player.setMuted(request.muted ?? true, room: request.room)
        case .rate:
            guard let rate = request.rate else { throw .badOption("a rate is from 0.5 to 2") }
            try await player.setRate(rate)
        case .delay:
            guard let room = request.room, let milliseconds = request.outputDelayMs else {
                throw .badOption("an output delay is of a room and in milliseconds")
            }
            try await player.setOutputDelay(milliseconds, room: room)
        case .crossfade:
            guard let seconds = request.seconds else { throw .badOption("a crossfade is from 0 to 12 s") }
            try await player.setCrossfade(seconds)
        case .add, .insert, .remove, .move, .replace, .clear, .jump, .shuffle, .repeat, .consume:
            try await editQueue(request)
        }
    }

    private static func line(_ value: some Encodable) -> ByteBuffer {
        ByteBuffer(bytes: JSONLine.encode(value) + [UInt8(ascii: "\n")])
    }
}
