import Glibc
import Logging
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSender
import TuttiStore

/// The service with its socket, from start to stop.
struct Service {
    let paths: StatePaths
    let clock: HostClock
    /// How HTTP is served.
    let web: WebOptions
    /// The broker that MQTT is spoken with; nil for none.
    let mqtt: MQTTOptions?
    /// How MPD's protocol is served; nil if it is not.
    let mpd: MPDOptions?
    /// The household's own commands.
    let hooks: HookOptions
    /// The live inputs of the settings.
    let inputs: [LiveInput]
    /// Folders of music.
    let music: [String]
    let logger: Logger

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Throws: `SenderError` when it cannot begin.
    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        // systemd's watchdog ends with it who gives no sign of life; Swift would print where it stands and live on.
        signal(SIGABRT, SIG_DFL)
        let signals = StopSignals()
        let lock = try lock()
        let store = try openStore()
        let runner = HookRunner(hooks, logger: logger)
        var configuration = try HouseConfiguration(store: store, clock: clock, logger: logger)
        configuration.inputs = inputs
        configuration.onAnnouncement = { rooms in Task { await runner?.announce(in: rooms) } }
        let house = House(configuration)
        let server = try await listen(for: house)
        await house.start()
        let notifier = ServiceNotifier(environment: ProcessEnvironment.current)
        logger.info(
            "ready",
            metadata: [
                "socket": "\(ControlServer.path(in: paths.runtimeDirectory))", "store": "\(store.path ?? "in memory")",
            ])
        notifier.tell("READY=1")
        let serving = Task { await server.run() }
        let hooking = Task { await runner?.run(house) }
        let page = Task { await web.program(paths, logger)?.run() }
        let home = Task { [node = configuration.identity.id] in await mqtt?.program(node, paths, logger).run() }
        let remotes = Task { await mpd?.program(paths, logger).run() }
        let pipes = InputPipes(inputs)
        let live = Task { await InputKeeper(house, logger: logger).run() }
        let tags = Task {
            await TagKeeper(house, directory: paths.runtimeDirectory + "/pictures", logger: logger).run()
        }
        let keeper = LibraryKeeper(library: configuration.library, logger: logger) { [weak house] in
            await house?.libraryChanged()
        }
        LibraryFolders(folders: music, library: configuration.library, logger: logger).start()
        let library = Task { await keeper.run() }
        let reporting = Task { await notifier.report { await Self.status(of: house) } }
        let pages = Task { await ProgramPages.giveBackRegularly() }
        await signals.first()
        reporting.cancel()
        pages.cancel()
        notifier.tell("STOPPING=1")
        let count = await house.count
        logger.info(
            "service stopped; \(count == 0 ? "nothing was playing" : "the rooms keep playing from their buffers")")
        serving.cancel()
        page.cancel()
        home.cancel()
        remotes.cancel()
        library.cancel()
        live.cancel()
        tags.cancel()
        hooking.cancel()
        await serving.value
        await page.value
        await home.value
        await remotes.value
        await library.value
        await live.value
        await tags.value
        await house.leave()
        withExtendedLifetime((lock, pipes)) {}
    }

    private func listen(for house: House) async throws -> ControlServer {
        do {
            return try await ControlServer(for: house, runtimeDirectory: paths.runtimeDirectory)
        } catch {
            guard case .alreadyPlaying(let socket) = error else { throw error }
            throw Failure("another `tutti serve` or `tutti play` uses the socket \(socket); stop it first")
        }
    }

    /// There is one service for a store.
    private func lock() throws -> FileLock? {
        do {
            if let lock = try StoreLock.take(in: paths.stateDirectory) { return lock }
        } catch {
            // The store reports a directory that cannot be written.
            return nil
        }
        throw Failure("another `tutti serve` uses \(paths.stateDirectory); stop it first")
    }

    /// The store or, where there can be none, one in memory: music matters more.
    private func openStore() throws -> HouseStore {
        let trust = try PlayerSettings.load().trust(in: paths.stateDirectory)
        do {
            return try HouseStore(directory: paths.stateDirectory, trust: trust)
        } catch {
            return try HouseStore.inMemory(because: error.description, trust: trust)
        }
    }

    private static func status(of house: House) async -> String {
        let count = await house.count
        return count == 0 ? "nothing plays" : count == 1 ? "1 group plays" : "\(count) groups play"
    }
}
