import Testing
import TuttiHome

@Suite("What is retained on a broker") struct RetainedTopicsTests {
    private static let (a, b) = ([UInt8(1)], [UInt8(2)])

    @Test("a value is published once, and again when it is another one")
    func changes() {
        var topics = RetainedTopics()
        topics.want("x", Self.a, every: 0)
        #expect(topics.due(at: 0).map(\.topic) == ["x"])
        topics.want("x", Self.a, every: 0)
        #expect(topics.due(at: 1).isEmpty && topics.nextDue() == nil)
        topics.want("x", Self.b, every: 0)
        #expect(topics.due(at: 2) == [.init(topic: "x", payload: Self.b)])
    }

    @Test("a value that changes too often waits, and the last one is published")
    func pace() {
        var topics = RetainedTopics()
        topics.want("x", Self.a, every: 10)
        _ = topics.due(at: 0)
        topics.want("x", Self.b, every: 10)
        #expect(topics.due(at: 9.9).isEmpty)
        #expect(topics.nextDue() == 10)
        topics.want("x", [3], every: 10)
        #expect(topics.due(at: 10) == [.init(topic: "x", payload: [3])])
        topics.want("x", Self.b, every: 10)
        topics.want("x", [3], every: 10)
        #expect(topics.nextDue() == nil)
    }

    @Test("a value that is worth telling at once does not wait for one that is not, nor that for it")
    func mixedPace() {
        var topics = RetainedTopics()
        topics.want("x", Self.a, every: 0.1)
        _ = topics.due(at: 0)
        topics.want("x", Self.b, every: 10)
        #expect(topics.nextDue() == 0.1)
        #expect(topics.due(at: 0.2).count == 1)
        topics.want("x", [3], every: 10)
        #expect(topics.due(at: 1).isEmpty)
        topics.want("x", Self.a, every: 0.1)
        #expect(topics.due(at: 1).count == 1)
    }

    @Test("configurations come first, and what says that something can be used comes last")
    func order() {
        var topics = RetainedTopics()
        topics.want("a", Self.a, .availability, every: 0)
        topics.want("b", Self.a, .value, every: 0)
        topics.want("c", Self.a, .configuration, every: 0)
        #expect(topics.due(at: 0).map(\.topic) == ["c", "b", "a"])
    }

    @Test("what is removed is emptied once, whether it was published or not")
    func removal() {
        var topics = RetainedTopics()
        topics.want("x", Self.a, every: 0)
        _ = topics.due(at: 0)
        topics.remove("x")
        topics.remove("other")
        #expect(topics.due(at: 0) == [.init(topic: "other", payload: []), .init(topic: "x", payload: [])])
        #expect(topics.due(at: 0).isEmpty && !topics.wants("x"))
        topics.want("x", Self.a, every: 10)
        #expect(topics.due(at: 0).count == 1)
    }

    @Test("after a connection was lost everything is published again, at once")
    func again() {
        var topics = RetainedTopics()
        topics.want("x", Self.a, every: 100)
        _ = topics.due(at: 0)
        topics.forget()
        #expect(topics.due(at: 1).count == 1)
    }
}
