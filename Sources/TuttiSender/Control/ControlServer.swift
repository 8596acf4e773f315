import Glibc
import NIOCore
import NIOPosix
import TuttiCore
import TuttiHost
import TuttiPOSIX
package import TuttiRooms
import TuttiSchema

/// Takes commands for a player, or for a service, on a Unix socket: a line of JSON each way.
///
/// One process owns the socket of a user at a time. A socket whose owner is gone is replaced. Only its owner, root and,
/// where the folder lets a group in, members of that group are answered, whatever the permissions of the socket are.
package struct ControlServer: Sendable {
    private typealias Listener = NIOAsyncChannel<any Channel, Never>
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let target: any ControlTarget
    private let path: String
    private let listener: Listener
    private let admission: SocketAdmission

    /// Where the socket is.
    package static func path(in runtimeDirectory: String) -> String { runtimeDirectory + "/control.sock" }

    /// Listens for `player`.
    ///
    /// - Throws: as the other initialiser.
    package init(for player: Player, runtimeDirectory: String) async throws(SenderError) {
        try await self.init(for: PlayerControl(player), runtimeDirectory: runtimeDirectory)
    }

    /// Listens for `target`.
    ///
    /// - Throws: `.alreadyPlaying` when another process owns the socket, `.system` when it cannot be made.
    package init(for target: any ControlTarget, runtimeDirectory: String) async throws(SenderError) {
        self.target = target
        path = Self.path(in: runtimeDirectory)
        do {
            try StatePaths.prepare(runtimeDirectory)
        } catch {
            throw .system(error.description)
        }
        if UnixSocket.connected(to: path, timeoutSeconds: 1) != nil { throw .alreadyPlaying(socket: path) }
        unlink(path)
        admission = SocketAdmission(folder: runtimeDirectory)
        do {
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // Read from when somebody serves it. Those whom nobody has come to serve when the server ends are plain
                // channels then: an asynchronous one that is let go unused ends the process.
                .childChannelOption(.autoRead, value: false)
                .bind(unixDomainSocketPath: path) { $0.eventLoop.makeSucceededFuture($0) }
        } catch {
            throw .system("cannot create the control socket \(path): \(error)")
        }
        // The umask of whoever starts this may be narrower or wider.
        guard chmod(path, admission.mode) == 0 else {
            unlink(path)
            throw .system("cannot set the permissions of \(path): \(HostError.text(ofErrno: errno))")
        }
    }

    /// Serves until the task is cancelled, then removes the socket.
    package func run() async {
        defer { unlink(path) }
        try? await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask { await serve(connection) }
                }
            }
        }
    }

    private func serve(_ channel: any Channel) async {
        let isAdmitted = await admits(channel)
        do {
            let connection = try await channel.eventLoop.submit {
                try Connection(wrappingChannelSynchronously: channel)
            }.get()
            try await serve(connection, isAdmitted: isAdmitted)
        } catch {
            channel.close(promise: nil)
        }
    }

    private func serve(_ connection: Connection, isAdmitted: Bool) async throws {
        try await connection.executeThenClose { inbound, outbound in
            try await connection.channel.setOption(.autoRead, value: true).get()
            var pending: [UInt8] = []
            for try await buffer in inbound {
                // What came before has no end of line.
                var searched = pending.count
                pending.append(contentsOf: buffer.readableBytesView)
                while let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(pending[..<end])
                    pending.removeFirst(end + 1)
                    searched = 0
                    guard isAdmitted else {
                        let reason = "you may not control this service; who joins the group of its socket's folder may"
                        return try await outbound.write(Self.line(ControlResponse(.system(reason))))
                    }
                    guard try await answer(line, on: outbound) else { return }
                }
                guard pending.count <= ControlRequest.limit else { return }
            }
        }
    }

    /// Whether the process at the other end may control the target, as the kernel says who that is.
    private func admits(_ channel: any Channel) async -> Bool {
        guard let socket = channel as? any SocketOptionProvider else { return false }
        do {
            let credentials: SocketAdmission.Credentials = try await socket.unsafeGetSocketOption(
                level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
            ).get()
            // One who is in more groups than that is known by user and first group only.
            let groups: SocketAdmission.Groups? = try? await socket.unsafeGetSocketOption(
                level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERGROUPS)
            ).get()
            return admission.admits(credentials, groups ?? SocketAdmission.Groups(repeating: 0))
        } catch {
            return false
        }
    }

    /// - Returns: whether the connection is to be kept.
    private func answer(
        _ line: [UInt8], on outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws -> Bool {
        let request: ControlRequest
        do {
            request = try ControlRequest(line: line)
        } catch {
            var response = ControlResponse(.badOption(error.description))
            response.service = target.isService ? true : nil
            try await outbound.write(Self.line(response))
            return true
        }
        let answer = await target.answer(request)
        try await outbound.write(Self.line(answer.response))
        await answer.afterwards?()
        guard let events = answer.events else { return true }
        for await event in events { try await outbound.write(Self.line(event)) }
        // Who watches everything hears by the end of the connection that there is a gap.
        return request.target != .all
    }

    private static func line(_ value: some Encodable) -> ByteBuffer {
        ByteBuffer(bytes: JSONLine.encode(value) + [UInt8(ascii: "\n")])
    }
}
