import Testing
import TuttiAssets

@Suite("The order in which pictures are shown tells when")
struct PictureOrderTests {
    private typealias Times = (picture: Int, shown: Int64, decoded: Int64)

    private func all(_ order: inout PictureOrder<Int>) -> [Times] {
        var placed: [Times] = []
        while let next = order.popFirst() { placed.append((next.picture, next.presentation, next.decoding)) }
        return placed
    }

    @Test("where decoding times are known")
    func known() {
        var order = PictureOrder<Int>(frameDuration: 10)
        // I P B B P B, then numbers begin anew: I P B.
        for (index, number) in [0, 6, 2, 4, 10, 8, 0, 4, 2].enumerated() {
            order.append(
                index, number: number, isSync: index == 0 || index == 6, decoding: Int64(index) * 10, duration: 10)
        }
        order.finish()
        let placed = all(&order)
        #expect(placed.map(\.picture) == Array(0..<9))
        #expect(placed.map(\.shown) == [0, 30, 10, 20, 50, 40, 60, 80, 70])
        #expect(placed.map(\.decoded) == (0..<9).map { $0 * 10 })
    }

    @Test("where they are not, from zero on, by the lengths that are known")
    func unknown() {
        var order = PictureOrder<Int>(frameDuration: 40)
        for (index, (number, duration)) in [(0, 0), (4, 25), (2, 0), (6, -3)].enumerated() {
            order.append(index, number: number, isSync: index == 0, decoding: nil, duration: Int64(duration))
        }
        order.finish()
        #expect(all(&order).map(\.shown) == [0, 65, 40, 105])
    }

    @Test("a sync picture whose number goes on begins no new sequence")
    func openGroup() {
        var order = PictureOrder<Int>(frameDuration: 10)
        // I P B, then I with a B that comes before it.
        for (index, (number, isSync)) in [(0, true), (4, false), (2, false), (8, true), (6, false)].enumerated() {
            order.append(index, number: number, isSync: isSync, decoding: Int64(index) * 10, duration: 0)
        }
        order.finish()
        #expect(all(&order).map(\.shown) == [0, 20, 10, 40, 30])
    }

    @Test("is known after a bounded number of pictures, whatever the numbers are")
    func bounded() {
        var order = PictureOrder<Int>(frameDuration: 10)
        var given = 0
        for index in 0..<10_000 {
            let number = [Int.max, .min, 0, index, -index][index % 5]
            order.append(index, number: number, isSync: index % 3 == 0, decoding: .max - Int64(index), duration: .max)
            given += all(&order).count
            #expect(index - given <= 64)
        }
        order.finish()
        #expect(given + all(&order).count == 10_000)
    }
}
