import Testing
import TuttiCore
import TuttiPlayback

/// Random edits, against arrays that do the same in the simplest way.
@Suite struct PlayQueuePropertyTests {
    /// The queue as one would write it down on paper.
    private struct Paper {
        var names: [Int]
        var current: Int?
        var repeats = RepeatMode.off
        var consumes = false

        /// What is played from now on, at most `limit` pieces.
        func future(_ limit: Int) -> [Int] {
            guard let current, let start = names.firstIndex(of: current) else { return [] }
            if repeats == .one { return Array(repeating: current, count: limit) }
            let rest = Array(names[start...])
            guard repeats == .all else { return Array(rest.prefix(limit)) }
            let round = rest + names[..<start]
            if consumes { return Array(round.prefix(limit)) }
            return (0..<limit).map { round[$0 % round.count] }
        }

        mutating func remove(_ victims: Set<Int>) {
            if let gone = current, victims.contains(gone), let place = names.firstIndex(of: gone) {
                let candidates = repeats == .all ? names[(place + 1)...] + names[..<place] : names[(place + 1)...]
                current = candidates.first { !victims.contains($0) }
            }
            names.removeAll { victims.contains($0) }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func theFutureIsWhatPaperSays(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var nextName = 5
        var queue = PlayQueue(Array(0..<5))
        var paper = Paper(names: Array(0..<5), current: 0)
        for _ in 0..<300 {
            let place = queue.isEmpty ? 0 : Int(random.next() % UInt64(queue.count))
            let other = queue.isEmpty ? 0 : Int(random.next() % UInt64(queue.count))
            switch random.next() % 10 {
            case 0, 1:
                let new = Array(nextName..<nextName + 3)
                nextName += 3
                queue.append(new)
                paper.names += new
                if paper.current == nil { paper.current = new[0] }
            case 2:
                queue.insertNext([nextName])
                let index = paper.current.flatMap { paper.names.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
                paper.names.insert(nextName, at: index)
                paper.current = paper.current ?? nextName
                nextName += 1
            case 3 where !queue.isEmpty:
                paper.remove([paper.names[place], paper.names[other]])
                queue.remove([queue.ids[place], queue.ids[other]])
            case 4 where !queue.isEmpty:
                queue.move(from: place, to: other)
                paper.names.insert(paper.names.remove(at: place), at: other)
            case 5 where !queue.isEmpty:
                if paper.current == paper.names[place] { paper.current = nextName }
                paper.names[place] = nextName
                queue.replace(queue.ids[place], with: nextName)
                nextName += 1
            case 6:
                queue.repeatMode = RepeatMode.allCases[Int(random.next() % 3)]
                paper.repeats = queue.repeatMode
            case 7:
                queue.consumes.toggle()
                paper.consumes.toggle()
            case 8:
                guard let current = queue.current, let next = queue.successor(of: current) else { break }
                let names = paper.future(2)
                try #require(names.count == 2)
                paper.current = names[1]
                if paper.consumes, names[0] != names[1] { paper.remove([names[0]]) }
                queue.jump(to: next)
            case 9 where !queue.isEmpty && random.next() % 4 == 0:
                queue.shuffle(seed: random.next())
                // Any order will do as long as nothing is lost.
                let names = queue.ids.compactMap { queue[$0] }
                #expect(names.sorted() == paper.names.sorted() && names.first == paper.current ?? names.first)
                paper.names = names
            default: break
            }
            #expect(queue.ids.compactMap { queue[$0] } == paper.names)
            #expect(queue.current.flatMap { queue[$0] } == paper.current)
            var future: [Int] = []
            var next = queue.current
            while let id = next, future.count < 12 {
                future.append(try #require(queue[id]))
                next = queue.successor(of: id)
            }
            #expect(future == paper.future(12))
        }
    }
}
