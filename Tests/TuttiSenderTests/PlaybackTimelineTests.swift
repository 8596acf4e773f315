import Testing
import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiSender

/// The lane against a simple model: after any edit, what lies behind the piece that is heard is what the queue says, laid without
/// a gap, and what is heard stays where it is.
@Suite struct PlaybackTimelineTests {
    private func time(_ seconds: Int64) -> MediaTime { MediaTime(frame: seconds, sampleRate: 1) }

    private static func items(_ names: Range<Int>) -> [QueueItem] {
        names.map { QueueItem(AssetInput(uri: "\($0)")) }
    }

    /// Lays what follows until `end` lies behind `time`; a piece lasts ten seconds.
    private func lay(_ programme: inout PlaybackTimeline, _ queue: PlayQueue<QueueItem>, until time: MediaTime) {
        while let last = programme.last, last.start < time, let next = last.successor(in: queue) {
            guard let item = queue[next] else { return }
            programme.lay(next, item, at: last.start + self.time(10))
        }
    }

    @Test func aPlaceAndItsInstantBelongTogether() throws {
        let queue = PlayQueue(Self.items(0..<1))
        let entry = try #require(queue.current)
        let item = try #require(queue[entry])
        var programme = PlaybackTimeline()
        programme.lay(entry, item, at: time(100), from: time(30))
        programme.lay(entry, item, at: time(110), from: .zero, rate: 1.5)
        let pieces = programme.pieces
        #expect(pieces[0].place(at: time(104)) == time(34) && pieces[0].time(of: time(34)) == time(104))
        #expect(pieces[0].end == time(110) && pieces[0].length == time(40))
        #expect(pieces[1].place(at: time(114)) == time(6) && pieces[1].time(of: time(6)) == time(114))
        #expect(programme.index(at: time(105)) == 0 && programme.index(at: time(110)) == 1)
    }

    @Test func theFirstDifferenceIsFound() throws {
        var queue = PlayQueue(Self.items(0..<5))
        var programme = PlaybackTimeline()
        let entry = try #require(queue.current)
        programme.lay(entry, try #require(queue[entry]), at: .zero)
        lay(&programme, queue, until: time(40))
        #expect(programme.pieces.count == 5 && programme.firstDifference(from: queue, behind: 0) == 5)
        queue.move(from: 3, to: 4)
        #expect(programme.firstDifference(from: queue, behind: 0) == 3)
        #expect(programme.firstDifference(from: queue, behind: 3) == 4)
        queue.insertNext(Self.items(9..<10))
        #expect(programme.firstDifference(from: queue, behind: 0) == 1)
        queue.repeatMode = .one
        #expect(programme.firstDifference(from: queue, behind: 0) == 1)
    }

    @Test(arguments: 0..<30 as Range<UInt64>) func theLaneFollowsAnyEdits(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var queue = PlayQueue(Self.items(0..<8))
        queue.repeatMode = .all
        var programme = PlaybackTimeline()
        let first = try #require(queue.current)
        programme.lay(first, try #require(queue[first]), at: .zero)
        var position: Int64 = 0
        for step in 0..<200 {
            // Rooms hold a minute; the music goes on by some seconds.
            lay(&programme, queue, until: time(position + 60))
            position += Int64(random.next() % 9)
            let heard = try #require(programme.index(at: time(position)))
            let piece = programme.pieces[heard]
            if queue.current != piece.entry { queue.jump(to: piece.entry) }
            let place = Int(random.next() % UInt64(queue.count))
            switch random.next() % 6 {
            case 0: queue.append(Self.items(step..<step + 2))
            case 1: queue.insertNext(Self.items(step..<step + 1))
            case 2 where queue.ids[place] != queue.current: queue.remove([queue.ids[place]])
            case 3: queue.move(from: place, to: Int(random.next() % UInt64(queue.count)))
            case 4: queue.consumes = random.next() % 4 == 0
            default: queue.shuffle(seed: random.next())
            }
            let before = programme.pieces[...heard].map(\.serial)
            programme.cut(from: programme.firstDifference(from: queue, behind: heard))
            lay(&programme, queue, until: time(position + 60))
            #expect(programme.pieces.prefix(heard + 1).map(\.serial) == before)
            var expected = piece.entry
            for (number, laid) in programme.pieces[heard...].enumerated() {
                #expect(laid.entry == expected && laid.start == piece.start + time(Int64(number) * 10))
                guard let next = queue.successor(of: expected) else { break }
                expected = next
            }
        }
    }
}
