import Testing
import TuttiHome
import TuttiSchema

@Suite("Commands that wait") struct CommandQueueTests {
    private func command(_ name: String, _ line: String = "a", replaces: String? = nil) -> HomeCommand {
        HomeCommand(ControlRequest(.next), line: line, replaces: replaces, name: name)
    }

    @Test("one line is carried out in order, others do not wait for it")
    func lines() {
        var queue = CommandQueue()
        let added = [
            queue.add(command("1"), at: 0), queue.add(command("2"), at: 0), queue.add(command("3", "b"), at: 0),
        ]
        #expect(added == [true, true, true])
        let first = queue.next(at: 0).command
        #expect(first?.name == "1")
        let (second, third) = (queue.next(at: 0).command, queue.next(at: 0).command)
        #expect(second?.name == "3" && third == nil)
        first.map { queue.finished($0) }
        let fourth = queue.next(at: 0).command
        #expect(fourth?.name == "2")
    }

    @Test("a later volume takes the place of one that waits, and passes no other command")
    func replacing() {
        var queue = CommandQueue()
        for name in ["1", "2", "3"] { _ = queue.add(command(name, replaces: "volume"), at: 0) }
        _ = queue.add(command("4"), at: 0)
        _ = queue.add(command("5", replaces: "volume"), at: 0)
        var names: [String] = []
        while let next = queue.next(at: 0).command {
            names.append(next.name)
            queue.finished(next)
        }
        #expect(names == ["3", "4", "5"])
    }

    @Test("no more wait than there is room for, and none for too long")
    func bounds() {
        var queue = CommandQueue()
        let taken = (0...64).map { number in queue.add(command("\(number)"), at: 0) }
        #expect(taken == Array(repeating: true, count: 64) + [false])
        let (next, late) = queue.next(at: 11)
        #expect(next == nil && late.count == 64)
        let isTaken = queue.add(command("more"), at: 11)
        #expect(isTaken)
    }

    @Test("what comes from outside fills no log")
    func log() {
        var limit = LogLimit()
        var lines: [Int] = []
        for _ in 0..<100 { limit.line(at: 5).map { lines.append($0) } }
        #expect(lines == Array(repeating: 0, count: 10))
        let (first, second) = (limit.line(at: 15), limit.line(at: 15))
        #expect(first == 90 && second == 0)
    }
}
