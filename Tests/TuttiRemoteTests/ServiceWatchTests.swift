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

    @Test("the socket is looked for before each attempt")
    func locating() async throws {
        let attempts = Mutex(0)
        let told = Mutex<Set<String>>([])
        let watch = ServiceWatch(locating: {
            attempts.withLock { attempt in
                attempt += 1
                return "/nowhere/\(attempt).sock"
            }
        }) { client, _ in _ = told.withLock { $0.insert(client.path) } }
        _ = try RealtimeThread.spawn(name: "watch", priority: nil) { watch.run() }
        try await Task.sleep(for: .seconds(1))
        #expect(attempts.withLock { $0 } > 1)
        #expect(told.withLock { $0 } == ["/nowhere/1.sock"], "it is told once that there is none")
    }

    @Test("a request without a service fails in words that say what to do")
    func unavailable() {
        #expect(throws: ServiceClient.Failure.unavailable) {
            try ServiceClient(path: "/nowhere/control.sock").ask(ControlRequest(.status))
        }
        #expect("\(ServiceClient.Failure.unavailable)".contains("tutti serve"))
    }
}
