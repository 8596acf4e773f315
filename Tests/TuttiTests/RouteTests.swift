import Foundation
import Synchronization
import TestSupport
import Testing
import Tutti
import TuttiDiscovery
import TuttiOutput

@Suite(.repeatedWhenDisturbed) struct RouteTests {
    @Test func anotherRouteTakesOverWhilePlayingWithoutAGap() throws {
        let studio = try Studio(depth: .seconds(4))
        let material = Material()
        for second in 0..<4 { try studio.renderer.enqueue(material.buffer(second * 48_000..<(second + 1) * 48_000)) }
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(10_001)
        try studio.renderer.setRoute(studio.output.route(depth: .seconds(300)))
        #expect(studio.renderer.route.depth == .seconds(300) && studio.renderer.isReadyForMoreMediaData)
        let sound = try studio.render(100_000)
        // Old and new route play the same in their crossfade.
        let worst = sound.indices.map { abs(sound[$0] - material.sample($0 + 10_001)) }.max() ?? 1
        #expect(worst < 1e-5)
        #expect((1_000..<100_000).allSatisfy { sound[$0] == material.sample($0 + 10_001) })
    }

    @Test func whatIsHeldBehindThePlayheadGoesToTheNewRouteToo() throws {
        let studio = try Studio()
        let material = Material()
        try studio.synchronizer.setRate(0, time: milliseconds(10_000))
        try studio.renderer.enqueue(material.buffer(0..<96_000))
        try studio.renderer.setRoute(studio.output.route(depth: .seconds(8)))
        try studio.synchronizer.setRate(1, time: frame(24_000))
        let sound = try studio.render(48_000)
        #expect((400..<48_000).allSatisfy { sound[$0] == material.sample($0 + 24_000) })
    }

    @Test func aCommandThatComesDuringTheChangeCounts() throws {
        let studio = try Studio()
        try studio.renderer.enqueue(Material().buffer(0..<96_000))
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(4_800)
        try studio.renderer.setRoute(studio.output.route(depth: .seconds(8)))
        try studio.synchronizer.setRate(0)
        #expect(try studio.render(48_000)[1_000...].allSatisfy { $0 == 0 })
        try studio.synchronizer.setRate(1)
        let sound = try studio.render(9_600)
        #expect((500..<9_600).allSatisfy { sound[$0] == Material().sample($0 + 4_800) })
    }

    @Test func anOutputThatIsNotThereIsAnError() throws {
        let renderer = AudioRenderer(route: .local(session: AudioSession(device: "no-such-pcm")))
        let synchronizer = RenderSynchronizer()
        #expect(throws: PlaybackError.self) { try synchronizer.addRenderer(renderer) }
        #expect(renderer.status == .failed && renderer.error != nil && synchronizer.renderers.isEmpty)
        try renderer.setRoute(.local(session: AudioSession(device: "null")))
        try synchronizer.addRenderer(renderer)
        #expect(renderer.status != .failed && synchronizer.renderers.count == 1)
    }

    @Test func depthFollowsTheRoute() {
        let session = AudioSession(device: "null")
        #expect(PlaybackRoute.local(session: session).depth < PlaybackRoute.bluetooth(session: session).depth)
        #expect(PlaybackRoute.local(session: session, depth: .seconds(-1)).depth == .milliseconds(250))
        #expect(PlaybackRoute.local(session: session, depth: .seconds(1e9)).depth == .seconds(3_600))
    }

    @Test func severalRoutesAreDetectedWhileItIsEnabled() {
        let detector = RouteDetector(interval: .seconds(60)) {
            [
                "null", "default", "pulse", "jack", "pipewire", "sysdefault:CARD=PCH", "plughw:CARD=PCH,DEV=0",
                "hw:CARD=PCH,DEV=0",
            ].map {
                OutputDeviceDescription(name: $0, description: "")
            }
        } browse: { () throws(DiscoveryError) in
            throw .daemonNotRunning
        } isRunning: { server in
            server == "pipewire"
        }
        #expect(!detector.multipleRoutesDetected && detector.routes.isEmpty)
        detector.isRouteDetectionEnabled = true
        #expect(detector.multipleRoutesDetected && detector.isRouteDetectionEnabled)
        #expect(detector.routes.map(\.id) == ["default", "pipewire", "plughw:CARD=PCH,DEV=0"])
        detector.isRouteDetectionEnabled = false
        #expect(!detector.isRouteDetectionEnabled)
        #expect(RouteDetector.routes(among: []) { _ in true }.isEmpty)
    }

    @Test func aSoundServerCountsWhereOneAnswers() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("t-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("pulse"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["XDG_RUNTIME_DIR": folder.path, "JACK_DEFAULT_SERVER": "none"]
        let path = folder.path + "/pulse/native"
        #expect(SoundServer.allCases.allSatisfy { !$0.isRunning(environment: environment, user: 4_000_000) })
        let server = try LocalSocket(path: path)
        #expect(SoundServer.pulse.isRunning(environment: environment, user: 4_000_000))
        #expect(!SoundServer.jack.isRunning(environment: environment, user: 4_000_000))
        server.close()
        // What it leaves behind is nobody.
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(!SoundServer.pulse.isRunning(environment: environment, user: 4_000_000))
    }

    @Test func roomsComeAndGo() async throws {
        let (events, network) = AsyncStream.makeStream(of: DiscoveryEvent.self)
        func speaker(_ name: String) -> DiscoveredSpeaker {
            DiscoveredSpeaker(
                id: "id of \(name)", name: name, host: "\(name).local", addresses: ["10.0.0.7"], port: 7_701,
                version: "1",
                claimed: false)
        }
        let detector = RouteDetector(
            interval: .seconds(60), list: { [OutputDeviceDescription(name: "default", description: "")] }
        ) {
            () throws(DiscoveryError) in events
        }
        var changes = detector.changes.makeAsyncIterator()
        detector.isRouteDetectionEnabled = true
        #expect(await changes.next()?.map(\.id) == ["default"])
        #expect(!detector.multipleRoutesDetected)
        network.yield(.found(speaker("kitchen")))
        let routes = try #require(await changes.next())
        #expect(routes.map(\.name) == ["default", "kitchen"] && detector.multipleRoutesDetected)
        #expect(routes.map(\.room) == [nil, RoomEndpoint(name: "kitchen", host: "10.0.0.7", port: 7_701)])
        network.yield(.found(speaker("bath")))
        #expect(await changes.next()?.map(\.name) == ["default", "bath", "kitchen"])
        network.yield(.lost(speaker("kitchen")))
        #expect(await changes.next()?.map(\.name) == ["default", "bath"])
        network.yield(.failed(.daemonNotRunning))
        #expect(await changes.next()?.map(\.id) == ["default"])
    }

    /// A renderer on a route of minutes, what that was told, and how it tells things.
    private struct Distant {
        let studio: Studio
        let port: FakePort
        let tell: @Sendable (RoutePortEvent) -> Void

        init(flushesSucceed: Bool = true) throws {
            studio = try Studio()
            let port = FakePort(flushesSucceed: flushesSucceed)
            let box = HandlerBox()
            try studio.renderer.setRoute(port.route(clock: studio.output.clock) { box.set($0) })
            self.port = port
            tell = { box.tell($0) }
        }
    }

    private final class HandlerBox: Sendable {
        private let handler = Mutex<RoutePortHandler?>(nil)

        func set(_ new: @escaping RoutePortHandler) { handler.withLock { $0 = new } }
        func tell(_ event: RoutePortEvent) { handler.withLock { $0 }?(event) }
    }

    @Test func aRouteOfMinutesIsToldInTimeAndFilledDeep() throws {
        let distant = try Distant()
        #expect(distant.studio.renderer.isReadyForMoreMediaData)
        for second in 0..<120 where distant.studio.renderer.isReadyForMoreMediaData {
            try distant.studio.renderer.enqueue(Material().buffer(second * 48_000..<(second + 1) * 48_000))
        }
        #expect(distant.port.told.withLock { $0.buffers.count } == 120)
        try distant.studio.synchronizer.setRate(1, time: .zero)
        let line = distant.port.told.withLock { $0.lines.last }
        #expect(line?.rate == 1 && line?.groupTime.nanoseconds == 300_000_000)
        #expect(distant.studio.synchronizer.currentTime == .zero)
        _ = try distant.studio.output.render(48_000)
        #expect(abs(distant.studio.synchronizer.currentTime.seconds - 0.7) < 1e-9)
        distant.studio.synchronizer.removeRenderer(distant.studio.renderer)
        #expect(distant.port.told.withLock { $0.isClosed })
    }

    @Test func aRouteMayRefuseAFlushItself() async throws {
        for succeeds in [true, false] {
            let distant = try Distant(flushesSucceed: succeeds)
            try distant.studio.renderer.enqueue(Material().buffer(0..<480_000))
            distant.studio.renderer.finishMediaData()
            #expect(await distant.studio.renderer.flush(fromSourceTime: milliseconds(5_000)) == succeeds)
            // All of it or nothing.
            let end = succeeds ? milliseconds(5_000) : milliseconds(10_000)
            #expect(distant.studio.renderer.loadedTimeRanges == [TimeRange(start: .zero, end: end)])
            #expect(distant.studio.renderer.bufferingState.isPlaybackBufferFull == !succeeds)
            #expect(distant.port.told.withLock { $0.flushes } == [milliseconds(5_000)])
        }
    }

    @Test func theLossOfADeviceFlushesAndItsReturnIsSaid() async throws {
        let distant = try Distant()
        let renderer = distant.studio.renderer
        var events = renderer.events.makeAsyncIterator()
        try renderer.enqueue(Material().buffer(0..<96_000))
        try distant.studio.synchronizer.setRate(1, time: .zero)
        _ = try distant.studio.output.render(48_000)
        distant.tell(.lost(.output("unplugged")))
        #expect(renderer.status == .failed && renderer.error == .output("unplugged"))
        #expect(renderer.loadedTimeRanges.isEmpty && renderer.isReadyForMoreMediaData)
        guard case .flushedAutomatically(let time, .deviceLost)? = await events.next() else {
            Issue.record("nothing was said of the flush")
            return
        }
        #expect(abs(time.seconds - 0.7) < 1e-9)
        distant.tell(.restored)
        #expect(await events.next() == .deviceReturned)
        #expect(renderer.status == .rendering && renderer.error == nil)
        // What an old port says counts no more.
        try renderer.setRoute(distant.studio.output.route)
        distant.tell(.lost(.output("late")))
        #expect(renderer.status == .rendering)
    }
}
