import Glibc
import Synchronization
import Testing
import TuttiHost
import TuttiRemote
import TuttiSchema

@Suite("A watch of a service") struct ServiceWatchTests {
    @Test("without a service it says once that there is none")
    func gone() async throws {
        let news = Mutex<[String]>([])
        let watch = ServiceWatch(ServiceClient(path: "/nowhere/control.sock")) { piece in
            if case .gone = piece { news.withLock { $0.append("gone") } } else { news.withLock { $0.append("more") } }
        }
        _ = try RealtimeThread.spawn(name: "watch", priority: nil) { watch.run() }
        try await Task.sleep(for: .seconds(1))
        #expect(news.withLock { $0 } == ["gone"])
    }

    @Test("a request without a service fails in words that say what to do")
    func unavailable() {
        #expect(throws: ServiceClient.Failure.unavailable) {
            try ServiceClient(path: "/nowhere/control.sock").ask(ControlRequest(.status))
        }
        #expect("\(ServiceClient.Failure.unavailable)".contains("tutti serve"))
    }
}
