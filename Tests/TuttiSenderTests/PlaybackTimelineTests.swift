import Testing
import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiSender

/// The lane against a simple model: after any edit, what lies behind the track that is heard is what the queue says,
/// laid without a gap, and what is heard stays where it is.
@Suite struct PlaybackTimelineTests {
    private func time(_ seconds: Int64) -> MediaTime { MediaTime(frame: seconds, sampleRate: 1) }

    private static func items(_ names: Range<Int>) -> [QueueItem] {
        names.map { QueueItem(AssetInput(uri: "\($0)")) }
    }

    /// Lays what follows until `end` lies behind `time`; a track lasts ten seconds.
    private func lay(_ timeline: inout PlaybackTimeline, _ queue: PlayQueue<QueueItem>, until time: MediaTime) {
        while let last = timeline.last, last.start < time, let next = last.successor(in: queue) {
            guard let item = queue[next] else { return }
            timeline.schedule(next, item, at: last.start + self.time(10))
        }
    }

    @Test func aPlaceAndItsInstantBelongTogether() throws {
        let queue = PlayQueue(Self.items(0..<1))
        let entry = try #require(queue.current)
        let item = try #require(queue[entry])
        var timeline = PlaybackTimeline()
        timeline.schedule(entry, item, at: time(100), from: time(30))
        timeline.schedule(entry, item, at: time(110), from: .zero, rate: 1.5)
        let tracks = timeline.tracks
        #expect(tracks[0].place(at: time(104)) == time(34) && tracks[0].time(of: time(34)) == time(104))
        #expect(tracks[0].end == time(110) && tracks[0].length == time(40))
        #expect(tracks[1].place(at: time(114)) == time(6) && tracks[1].time(of: time(6)) == time(114))
        #expect(timeline.index(at: time(105)) == 0 && timeline.index(at: time(110)) == 1)
    }

    @Test func theFirstDifferenceIsFound() throws {
        var queue = PlayQueue(Self.items(0..<5))
        var timeline = PlaybackTimeline()
        let entry = try #require(queue.current)
        timeline.schedule(entry, try #require(queue[entry]), at: .zero)
        lay(&timeline, queue, until: time(40))
        #expect(timeline.tracks.count == 5 && timeline.firstDifference(from: queue, after: 0) == 5)
        queue.move(from: 3, to: 4)
        #expect(timeline.firstDifference(from: queue, after: 0) == 3)
        #expect(timeline.firstDifference(from: queue, after: 3) == 4)
        queue.insertNext(Self.items(9..<10))
        #expect(timeline.firstDifference(from: queue, after: 0) == 1)
        queue.repeatMode = .one
        #expect(timeline.firstDifference(from: queue, after: 0) == 1)
    }

    @Test(arguments: 0..<30 as Range<UInt64>) func theLaneFollowsAnyEdits(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var queue = PlayQueue(Self.items(0..<8))
        queue.repeatMode = .all
        var timeline = PlaybackTimeline()
        let first = try #require(queue.current)
        timeline.schedule(first, try #require(queue[first]), at: .zero)
        var position: Int64 = 0
        for step in 0..<200 {
            // Rooms hold a minute; the music goes on by some seconds.
            lay(&timeline, queue, until: time(position + 60))
            position += Int64(random.next() % 9)
            let heard = try #require(timeline.index(at: time(position)))
            let track = timeline.tracks[heard]
            if queue.current != track.entry { queue.jump(to: track.entry) }
            let place = Int(random.next() % UInt64(queue.count))
            switch random.next() % 6 {
            case 0: queue.append(Self.items(step..<step + 2))
            case 1: queue.insertNext(Self.items(step..<step + 1))
            case 2 where queue.ids[place] != queue.current: queue.remove([queue.ids[place]])
            case 3: queue.move(from: place, to: Int(random.next() % UInt64(queue.count)))
            case 4: queue.consumes = random.next() % 4 == 0
            default: queue.shuffle(seed: random.next())
            }
            let before = timeline.tracks[...heard].map(\.serial)
            timeline.cut(from: timeline.firstDifference(from: queue, after: heard))
            lay(&timeline, queue, until: time(position + 60))
            #expect(timeline.tracks.prefix(heard + 1).map(\.serial) == before)
            var expected = track.entry
            for (number, laid) in timeline.tracks[heard...].enumerated() {
                #expect(laid.entry == expected && laid.start == track.start + time(Int64(number) * 10))
                guard let next = queue.successor(of: expected) else { break }
                expected = next
            }
        }
    }
}
