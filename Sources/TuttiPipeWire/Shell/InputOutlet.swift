import Glibc
import Logging
import TuttiHost

/// A node of the graph whose sound services can have: its socket is there while the node is, and the node is captured while
/// somebody reads.
final class InputOutlet {
    /// Seconds without its node after which one line says so; and after which a socket is tried again.
    private static let (patience, pause) = (1.0, 5.0)

    private let input: OfferedInput
    private let folder: String
    private let bell: Bell
    private let logger: Logger
    private var node: SoundNodes.Node?
    private var socket: SampleSocket?
    private var stream: SourceStream?
    /// When the node went; nil once it was said, and while it is there.
    private var goneAt: Double?
    private var retryAt: Double?
    private var hasToldOfTrouble = false

    init(_ input: OfferedInput, folder: String, bell: Bell, at now: Double, logger: Logger) {
        (self.input, self.folder, self.bell, self.logger, goneAt) = (input, folder, bell, logger, now)
    }

    private var name: Logger.Metadata { ["input": "\(input.name)", "node": "\(input.node)"] }

    /// What it waits for.
    var places: [pollfd] {
        guard let socket else { return [] }
        var places = [pollfd(fd: socket.listener, events: Int16(POLLIN), revents: 0)]
        if let connection = socket.connection {
            let events = POLLIN | (socket.wantsToWrite ? POLLOUT : 0)
            places.append(pollfd(fd: connection, events: Int16(events), revents: 0))
        }
        return places
    }

    /// When it is to be served though nothing comes in.
    var deadline: Double? { [goneAt.map { $0 + Self.patience }, retryAt].compactMap(\.self).min() }

    /// Does what there is to do.
    func serve(_ server: PipeWireServer, at now: Double) {
        follow(server.node(named: input.node), at: now)
        if let goneAt, now >= goneAt + Self.patience {
            logger.notice("this node is not there; waiting for it", metadata: name)
            self.goneAt = nil
        }
        if node != nil, socket == nil, retryAt.map({ now >= $0 }) ?? true { listen(at: now) }
        guard let socket, let node else { return }
        if let failure = stream?.failure {
            logger.warning("this node gives no sound: \(failure)", metadata: name)
            hangUp()
        }
        if socket.readerIsGone() { hangUp() }
        if socket.accept() { capture(node, server) }
        if let stream, !socket.send(stream.ring) { hangUp() }
    }

    /// Takes whether the node is there.
    private func follow(_ now: SoundNodes.Node?, at time: Double) {
        guard now?.number != node?.number || now?.serial != node?.serial else { return }
        (stream, socket) = (nil, nil)
        (retryAt, hasToldOfTrouble) = (nil, false)
        if node != nil, now == nil { goneAt = time }
        if now != nil { goneAt = nil }
        node = now
    }

    private func listen(at now: Double) {
        retryAt = nil
        do throws(HostError) {
            socket = try SampleSocket(path: SoundFolder.socket(of: input.name, in: folder), folder: folder)
            logger.info("input", metadata: name)
        } catch {
            if !hasToldOfTrouble { logger.warning("an input cannot be offered: \(error)", metadata: name) }
            (hasToldOfTrouble, retryAt) = (true, now + Self.pause)
        }
    }

    private func capture(_ node: SoundNodes.Node, _ server: PipeWireServer) {
        stream = nil
        do throws(PipeWireError) {
            stream = try SourceStream(server, node, name: input.name, bell: bell)
            logger.info("captured", metadata: name)
        } catch {
            logger.warning("an input cannot be captured: \(error)", metadata: name)
            socket?.hangUp()
        }
    }

    private func hangUp() {
        stream = nil
        socket?.hangUp()
    }
}
