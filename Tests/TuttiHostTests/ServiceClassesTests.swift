import Testing
import TuttiHost

/// Classes of service on networks that lose what has one.
@Suite struct ServiceClassesTests {
    @Test func whereNothingComesBackTheClassIsLeftOutAndPutBack() {
        var classes = ServiceClasses<String>()
        let marks = (0..<24).map { _ in classes.marksNext(to: "room") }
        #expect(!marks.prefix(8).contains(false) && !marks[8..<16].contains(true) && !marks[16...].contains(false))
        let other = classes.marksNext(to: "other")
        #expect(other, "each for itself")
    }

    @Test func whatComesBackDecides() {
        var classes = ServiceClasses<String>()
        for _ in 0..<12 { _ = classes.marksNext(to: "room") }
        classes.received(from: "room", isMarked: false)
        let marks = (0..<8).map { _ in classes.marksNext(to: "room") }
        #expect(!marks.contains(true))
        classes.received(from: "room", isMarked: true)
        let again = classes.marksNext(to: "room")
        #expect(again)
    }

    @Test func answersHaveTheClassOfTheQuestions() {
        var classes = ServiceClasses<String>()
        classes.received(from: "asker", isMarked: false)
        let without = classes.marksNext(to: "asker")
        classes.received(from: "asker", isMarked: true)
        let with = classes.marksNext(to: "asker")
        #expect(!without && with)
    }

    @Test func strangersTakeLittleMemory() {
        var classes = ServiceClasses<Int>()
        for peer in 0..<100_000 {
            classes.received(from: peer, isMarked: peer % 2 == 0)
            _ = classes.marksNext(to: peer)
            #expect(classes.count <= 512)
        }
    }
}
