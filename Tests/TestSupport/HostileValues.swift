package import TuttiCore

/// Values as a peer would choose them that wants to do harm: at the edges of what a field may be, and beyond.
package struct HostileValues {
    /// What they are drawn from.
    package var random: SplitMix64

    /// Values of a sequence.
    package init(_ random: SplitMix64) { self.random = random }

    /// Numbers at which something overflows, wraps, or is another kind of number.
    private static let edges: [Int64] = [
        .min, .min + 1, -(1 << 62), -(1 << 61) - 1, -(1 << 61), -(1 << 53) - 1, -(1 << 31) - 1, -(1 << 31), -1, 0, 1, 2,
        63, 64,
        255, 256, 65_535, 65_536, (1 << 20) - 1, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 53,
        1 << 61, (1 << 61) + 1,
        (1 << 62) - 1, 1 << 62, .max - 1, .max,
    ]

    /// True once in `count` times.
    package mutating func once(in count: UInt64) -> Bool { random.next() % count == 0 }

    /// One of several.
    package mutating func one<Element>(of list: [Element]) -> Element { list[Int(random.next() % UInt64(list.count))] }

    /// A number in a range.
    package mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    /// An edge.
    package mutating func edge() -> Int64 { one(of: Self.edges) }

    /// An edge within a range, where there is one.
    package mutating func edge(in range: ClosedRange<Int64>) -> Int64 {
        one(of: Self.edges.filter(range.contains) + [range.lowerBound, range.upperBound])
    }

    /// A number as JSON, of any kind.
    package mutating func json() -> String {
        switch random.next() % 8 {
        case 0:
            one(of: ["1e400", "-1e308", "5e-324", "9223372036854775808", "-9223372036854775809", "0.1", "-0.0", "1e18"])
        case 1: one(of: ["null", "true", "\"7\"", "[]", "{}", "[[]]", "\"\\u0000\\n\\u001b[2J\\u202e\""])
        default: String(edge())
        }
    }

    /// A media time as JSON: mostly a legal one, at the edge of what is legal.
    package mutating func time(near seconds: Int64) -> String {
        switch random.next() % 8 {
        case 0: return "[\(json()),\(json())]"
        case 1: return "[\(one(of: [-1, 1] as [Int64]) * ((1 << 31) - 1)),1]"
        case 2:
            let scale = Int64(Int32.max)
            return "[\(one(of: [-1, 1] as [Int64]) * ((scale << 31) + scale - 1 - scale)),\(scale)]"
        default:
            let scale = one(of: [1, 7, 8_000, 44_100, 48_000, 192_000, 1_000_000_000, Int64(Int32.max)])
            return "[\(number(0...max(seconds, 1) * scale)),\(scale)]"
        }
    }
}
