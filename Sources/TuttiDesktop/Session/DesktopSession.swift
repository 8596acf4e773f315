import Glibc
package import Logging
import TuttiHost
import TuttiRemote
import TuttiSchema

/// The players of a service on a session bus, for as long as the program runs.
///
/// One thread is on the bus and keeps all state. It waits for messages and for the inbox, and for nothing else: a watch
/// of the service, the service's answers and pictures come from other threads.
package final class DesktopSession {
    /// What to serve.
    package struct Configuration: Sendable {
        /// Finds the service's control socket.
        package var socket: @Sendable () -> String
        /// `tutti-player`, which makes pictures.
        package var player: String
        /// Where pictures are; nil for none.
        package var artworkDirectory: String?

        /// What to serve.
        package init(socket: @escaping @Sendable () -> String, player: String, artworkDirectory: String?) {
            self.socket = socket
            self.player = player
            self.artworkDirectory = artworkDirectory
        }
    }

    /// The name of this program on the bus, which one process of a session has.
    package static let name = "org.tutti.Desktop"

    private let address: String
    private let own: BusConnection
    private let inbox: Inbox
    private let configuration: Configuration
    private let logger: Logger
    private let artwork: ArtworkFiles?

    private var players = PlayerSet()
    private var onBus: [String: PlayerOnBus] = [:]
    /// Players that are gone, whose calls the service has yet to answer.
    private var leaving: [PlayerOnBus] = []
    private var client: ServiceClient?
    private var view: HouseView?
    private var shelf = ArtworkShelf()
    private var pictures: UInt64 = 0
    private var calls: UInt64 = 0

    /// Connects to the session bus.
    ///
    /// - Throws: `BusError`, or `HostError` where the kernel lacks something.
    package init(
        _ configuration: Configuration, environment: [String: String] = ProcessEnvironment.current, logger: Logger
    ) throws {
        address = try BusConnection.sessionAddress(environment: environment)
        own = try BusConnection(address: address)
        try own.own(Self.name)
        inbox = try Inbox(InboxContent())
        self.configuration = configuration
        self.logger = logger
        do throws(HostError) {
            artwork = try configuration.artworkDirectory.map { directory throws(HostError) in
                try ArtworkFiles(directory: directory, player: configuration.player)
            }
        } catch {
            logger.warning("there are no pictures: \(error)")
            artwork = nil
        }
    }

    /// Ends `run`, from any thread.
    package var end: @Sendable () -> Void { { [inbox] in inbox.put { $0.isOver = true } } }

    /// Serves until `end` is called.
    ///
    /// - Throws: `BusError.gone` when the bus is gone, `HostError` where the kernel makes no thread.
    package func run() throws {
        defer { artwork?.removeAll() }
        let watch = ServiceWatch(locating: configuration.socket) { [inbox] client, news in
            switch news {
            case .view(let view): inbox.put { $0.house = (client, view) }
            case .gone: inbox.put { $0.house = (client, nil) }
            case .event: break
            }
        }
        _ = try RealtimeThread.spawn(name: "watch", priority: nil) { watch.run() }
        logger.info("ready", metadata: ["socket": "\(configuration.socket())"])
        while true {
            let content = inbox.take()
            if content.isOver { return }
            take(content)
            for key in onBus.keys.sorted() { serve(key) }
            leaving.removeAll { $0.finish() }
            own.exchange()
            while own.next() != nil {}
            guard own.isConnected else { throw BusError.gone }
            wait()
        }
    }

    // MARK: Waiting

    /// Waits until there is something to do.
    private func wait() {
        var places = [pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0), Self.place(of: own)]
        places += (onBus.values + leaving).map { Self.place(of: $0.bus) }
        let deadline = onBus.values.compactMap(\.deadline).min()
        let left = deadline.map { max(0, ($0 - ServiceWatch.now) * 1000).rounded(.up) }
        poll(&places, nfds_t(places.count), left.map { Int32(min($0, 1000)) } ?? -1)
    }

    private static func place(of bus: BusConnection) -> pollfd {
        pollfd(fd: bus.descriptor, events: Int16(POLLIN | (bus.wantsToWrite ? POLLOUT : 0)), revents: 0)
    }

    // MARK: What comes in

    private func take(_ content: InboxContent) {
        let now = ServiceWatch.now
        // First: with what was answered a player may be gone.
        for completion in content.completions {
            for place in leaving { _ = place.complete(completion, nil, at: now) }
            let key = completion.player
            guard let player = players.players[key], let place = onBus[key] else { continue }
            if case .command(.rate(let rate))? = place.complete(completion, player, at: now) {
                for effect in players.noteRate(rate, of: key) { carryOut(effect) }
            }
        }
        if let (client, view) = content.house {
            if view == nil { noteAbsence(of: client) }
            if view != nil, self.view == nil { logger.info("service found", metadata: ["socket": "\(client.path)"]) }
            (self.client, self.view) = (client, view)
            refresh(at: now)
        }
        if let (file, picture) = content.picture {
            carryOut(shelf.take(picture, of: file))
            refresh(at: now)
        }
    }

    /// Shows what is known now.
    private func refresh(at now: Double) {
        let effects = players.take(
            view, artwork: { [shelf] in shelf.picture(of: $0).map(FileURI.make(ofPath:)) }, at: now)
        for effect in effects { carryOut(effect) }
        if artwork != nil { carryOut(shelf.want(players.files)) }
    }

    private func noteAbsence(of client: ServiceClient) {
        let isForbidden = access(client.path, W_OK) != 0 && errno == EACCES
        let reason =
            isForbidden
            ? "you may not open the service's socket: join the group that owns it"
            : "no service answers; waiting for one"
        logger.notice("\(reason)", metadata: ["socket": "\(client.path)"])
    }

    private func carryOut(_ effect: PlayerSet.Effect) {
        switch effect {
        case .appear(let key, let busName):
            do throws(BusError) {
                onBus[key] = try PlayerOnBus(address, as: busName, of: key)
                logger.info("player", metadata: ["name": "\(busName)"])
            } catch {
                logger.warning("a group cannot be controlled: \(error)", metadata: ["name": "\(busName)"])
            }
        case .vanish(let key):
            guard let place = onBus.removeValue(forKey: key) else { return }
            place.leave()
            leaving.append(place)
            logger.info("player gone", metadata: ["group": "\(key)"])
        case .tell(let key, .changed(let values)):
            onBus[key]?.bus.emit(
                "PropertiesChanged", of: BusInterface.properties.name, from: MediaPlayer.path,
                [.string(BusInterface.player.name), .dictionary(values), .strings([])])
        case .tell(let key, .seeked(let position)):
            onBus[key]?.bus.emit("Seeked", of: BusInterface.player.name, from: MediaPlayer.path, [.int64(position)])
        }
    }

    private func carryOut(_ effects: [ArtworkShelf.Effect]) {
        guard let artwork else { return }
        for effect in effects {
            switch effect {
            case .remove(let path): artwork.remove(path)
            case .make(let file):
                pictures += 1
                Task { [inbox, pictures] in
                    let picture = await artwork.make(of: file, number: pictures)
                    inbox.put { $0.picture = (file, picture) }
                }
            }
        }
    }

    // MARK: Calls

    private func serve(_ key: String) {
        guard let place = onBus[key], let player = players.players[key] else { return }
        place.bus.exchange()
        let now = ServiceWatch.now
        while let message = place.bus.next() {
            guard let call = message.call else { continue }
            do throws(BusFault) {
                try answer(call, message, place, player, at: now)
            } catch {
                place.bus.refuse(message, error)
            }
        }
        place.settle(player, at: now)
        guard !place.bus.isConnected else { return }
        // The next view brings it back, if the bus itself is still there.
        logger.warning("the bus has cut off a player", metadata: ["group": "\(key)"])
        carryOut(players.forget(key))
    }

    private func answer(
        _ call: BusCall, _ message: BusMessage, _ place: PlayerOnBus, _ player: MediaPlayer, at now: Double
    ) throws(BusFault) {
        switch try player.outcome(of: call, at: now) {
        case .reply(let values): place.bus.reply(to: message, values)
        case .act(let action):
            guard let client else { throw .failed("the service is gone") }
            try check(action)
            calls += 1
            try place.begin(action, for: message, number: calls, in: player.group, asking: client) { [inbox] result in
                inbox.put { $0.completions.append(result) }
            }
        case .machineID:
            guard let text = BusConnection.machineID else { throw .failed("this machine has no id") }
            place.bus.reply(to: message, [.string(text)])
        }
    }

    /// To go to a track that cannot be played would end the one that plays. The service's files are this host's; whether
    /// it may read one, it finds out.
    private func check(_ action: PlayerAction) throws(BusFault) {
        guard case .open(let input) = action, input.uri.hasPrefix("/"), access(input.uri, F_OK) != 0,
            errno == ENOENT || errno == ENOTDIR
        else { return }
        throw .failed("\(input.uri): no such file")
    }
}
