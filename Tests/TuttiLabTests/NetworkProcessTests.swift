import Foundation
import Testing
import TuttiCards
import TuttiLab
import TuttiSchema

@Suite("The processes of the lab")
struct NetworkProcessTests {
    @Test("exit codes, signals, missing programs")
    func endings() throws {
        #expect(try ChildProcess(["true"]).wait() == .exited(code: 0))
        #expect(try ChildProcess(["sh", "-c", "exit 7"]).wait() == .exited(code: 7))
        let sleeper = try ChildProcess(["sleep", "60"])
        #expect(sleeper.isRunning)
        #expect(sleeper.stop() == .killed(signal: 15))
        #expect(sleeper.poll() == .killed(signal: 15))
        #expect(throws: LabError.missingTool("no-such-program")) { try ChildProcess(["no-such-program"]) }
    }

    @Test("a process that will not end is killed")
    func stubborn() throws {
        let output = FileManager.default.temporaryDirectory.appending(path: "stubborn-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let stubborn = try ChildProcess(
            ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"], output: output)
        while FileManager.default.contents(atPath: output)?.isEmpty ?? true { usleep(1000) }
        #expect(stubborn.stop(within: 0.1) == .killed(signal: 9))
    }

    @Test("environment and output")
    func environment() throws {
        let output = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let child = try ChildProcess(
            ["sh", "-c", "echo $LAB_WORD; echo oops >&2"], environment: ["LAB_WORD": "a = b", "PATH": "/usr/bin:/bin"],
            output: output, errors: output)
        #expect(child.wait() == .exited(code: 0))
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "a = b\noops\n")
    }

    @Test("a tool's failure carries its words")
    func tools() throws {
        #expect(try Tool.run(["cat"], input: ["one", "two"]) == "one\ntwo\n")
        #expect(throws: LabError.toolFailed(command: "sh -c echo no; exit 1", message: "no")) {
            try Tool.run(["sh", "-c", "echo no; exit 1"])
        }
        #expect(Tool.isInstalled("sh") && !Tool.isInstalled("no-such-program"))
    }

    @Test("this process's own usage")
    func usage() throws {
        let before = try #require(ProcessUsage(process: getpid()))
        #expect(before.residentBytes > 1_000_000)
        var sum = 0.0
        let end = MonotonicRaw.now() + 60_000_000
        while MonotonicRaw.now() < end { sum += 1 }
        let after = try #require(ProcessUsage(process: getpid()))
        let load = ProcessLoad(name: "test", from: before, to: after)
        #expect(sum > 0 && load.seconds >= 0.06 && load.processorPercent > 5)
        #expect(ProcessUsage(process: Int32.max) == nil)
    }

    @Test("a card's configuration")
    func card() {
        let card = LabCard(
            name: "h1", directory: "/tmp/x", ppm: -60, kind: .millisecondSteps, xruns: [5, 12.5], unplug: "20+3")
        let text = card.configuration(plugin: "/tmp/card.so")
        for line in [
            "pcm_type.tutti_lab { lib \"/tmp/card.so\" }", "    name \"h1\"", "    ppm -60.0", "    kind \"step1ms\"",
            "    xruns \"5.0 12.5\"", "    unplug \"20+3\"",
        ] {
            #expect(text.split(separator: "\n").contains(Substring(line)))
        }
        #expect(!text.contains("rate"))
    }

    @Test("the card of a seed is the same one always, and says what it is in its configuration")
    func drawnCard() {
        let cards = (0..<64 as Range<UInt64>).map { LabCard(name: "h1", directory: "/tmp/x", seed: $0) }
        #expect(cards[7] == LabCard(name: "h1", directory: "/tmp/x", seed: 7))
        for card in cards {
            let text = card.configuration(plugin: "/tmp/card.so")
            #expect(text.contains("    step ") == (card.traits.step > 1))
            #expect(text.contains("    latency ") == (card.traits.startLatency > 0))
            #expect(text.contains("    rate 44100") == (card.traits.rate == 44_100))
            #expect(text.contains("    format \"S16_LE\"") == card.traits.isOnly16Bit)
            #expect(abs(card.outputDelay) < 60)
        }
        #expect(Set(cards.map(\.traits.step)).count > 5 && Set(cards.map(\.traits.channels)) == [1, 2, 8])
        #expect(cards.contains { $0.traits.lead > 0 && $0.traits.delaySurplus == 0 })
        #expect(cards.contains { $0.traits.delaySurplus < 0 } && cards.contains { $0.traits.pauses != nil })
        #expect(cards.contains { $0.traits.lockingPpm != 0 })
    }

    @Test("loaded means every room up to the end")
    func status() throws {
        let text = """
            {"state":"playing","position":3.5,"rate":1,"queue":{"index":0,"length":1},"rooms":[
            {"name":"h1","address":"h1:7700","state":"playing","loaded":[[0,1],[2.0,312.0]],"likelyToKeepUp":true,
            "stalls":0,"xruns":0,"syncErrorUs":3.1},
            {"name":"h2","address":"h2:7700","state":"playing","loaded":[[2.0,299.0]],"likelyToKeepUp":true,
            "stalls":0,"xruns":0}]}
            """
        var status = try JSONDecoder().decode(PlayerStatus.self, from: Data(text.utf8))
        #expect(status.isLoaded(to: 299))
        #expect(!status.isLoaded(to: 300))
        status.rooms = []
        #expect(!status.isLoaded(to: 0))
    }

    @Test("cases have names of their own and differ from each other's rooms by one thing")
    func cases() {
        #expect(Set(BenchCase.all.map(\.name)).count == BenchCase.all.count)
        #expect(BenchCase.named("lan")?.rooms.map(\.ppm) == [0, 80, -60])
        #expect(BenchCase.named("usb")?.rooms.map(\.card) == [.exact, .millisecondSteps, .exact])
        #expect(BenchCase.named("asym")?.unobservable == ["h1": 0, "h2": 0, "h3": 900])
        #expect(BenchCase.named("none") == nil)
    }
}
