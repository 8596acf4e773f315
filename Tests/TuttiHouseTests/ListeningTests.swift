import Testing
import TuttiHouse
import TuttiLibrary
import TuttiSchema

@Suite("What of a group's tracks was heard") struct ListeningTests {
    private func status(
        _ uri: String, _ position: Double, of duration: Double?, _ state: PlayerStatus.State = .playing,
        id: UInt64 = 1
    ) -> PlayerStatus {
        PlayerStatus(
            state: state, position: position, rate: state == .playing ? 1 : 0,
            item: PlayerStatus.Item(index: 0, id: id, duration: duration, uri: uri),
            queue: PlayerStatus.Queue(length: 1, index: 0), rooms: [])
    }

    private func notes(
        _ uri: String, _ seconds: [Double], of duration: Double?, into listening: inout Listening
    ) -> [Listening.Note] {
        seconds.flatMap { listening.take(status(uri, $0, of: duration)) }
    }

    @Test("a track was heard when more than half of it was, once")
    func half() {
        var listening = Listening()
        let all = (0...59).map(Double.init)
        #expect(notes("/a", all, of: 60, into: &listening) == [.played(LibraryFile(path: "/a"))])
        #expect(notes("/b", Array(all.prefix(20)), of: 60, into: &listening).isEmpty)
    }

    @Test("of a long one, four minutes are enough")
    func fourMinutes() {
        var listening = Listening()
        #expect(notes("/a", (0...239).map(Double.init), of: 900, into: &listening).isEmpty)
        #expect(notes("/a", [240], of: 900, into: &listening) == [.played(LibraryFile(path: "/a"))])
        var unknown = Listening()
        #expect(notes("/a", (0...239).map(Double.init), of: nil, into: &unknown).isEmpty)
        #expect(notes("/a", [240], of: nil, into: &unknown) == [.played(LibraryFile(path: "/a"))])
    }

    @Test("who jumps through a track has not heard it")
    func jumps() {
        var listening = Listening()
        #expect(notes("/a", [0, 100, 200, 299, 10, 250], of: 300, into: &listening).isEmpty)
        #expect(notes("http://a/b", (0...100).map(Double.init), of: 100, into: &listening).isEmpty)
    }

    @Test("the place of a long track is kept when it pauses, ends, or another one follows")
    func places() {
        var listening = Listening()
        _ = notes("/book", [100, 101, 102], of: 3_600, into: &listening)
        #expect(
            listening.take(status("/book", 102.5, of: 3_600, .paused)) == [.place(LibraryFile(path: "/book"), 102.5)])
        #expect(listening.take(status("/book", 102.5, of: 3_600, .paused)).isEmpty)
        #expect(listening.take(status("/other", 0, of: 60, id: 2)) == [.place(LibraryFile(path: "/book"), 102.5)])
        _ = notes("/book", [100, 101], of: 3_600, into: &listening)
        #expect(listening.end() == [.place(LibraryFile(path: "/book"), 101)])
        #expect(listening.end().isEmpty)
    }

    @Test("while it plays, its place is kept now and then")
    func nowAndThen() {
        var listening = Listening()
        let notes = notes("/book", (100...160).map(Double.init), of: 3_600, into: &listening)
        #expect((3...5).contains(notes.count), "\(notes)")
    }

    @Test("what was hardly begun, or is nearly over, begins anew")
    func ends() {
        var listening = Listening()
        _ = notes("/book", [0, 1, 2], of: 3_600, into: &listening)
        #expect(listening.end() == [.place(LibraryFile(path: "/book"), nil)])
        _ = notes("/book", [3_550, 3_551], of: 3_600, into: &listening)
        #expect(listening.end() == [.place(LibraryFile(path: "/book"), nil)])
    }

    @Test("a track that nobody heard leaves its place as it was")
    func unheard() {
        var listening = Listening()
        #expect(listening.take(status("/book", 500, of: 3_600, .paused)).isEmpty)
        #expect(listening.end().isEmpty)
    }

    @Test("short tracks have no place, and times that are none do no harm")
    func short() {
        var listening = Listening()
        _ = notes("/song", [0, 1, 2, 3], of: 300, into: &listening)
        #expect(listening.end().isEmpty)
        for position in [Double.nan, .infinity, -1e300] {
            _ = listening.take(status("/song", position, of: .nan))
        }
    }
}
