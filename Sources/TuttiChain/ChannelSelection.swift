/// What a room plays of a stereo programme: which sides, and above or below which frequency.
public struct ChannelSelection: Sendable, Hashable {
    /// Which sides.
    public enum Sides: String, Sendable, Hashable, CaseIterable {
        /// Both, each in its channel.
        case stereo
        /// The left one in both channels: the left half of a pair of rooms.
        case left
        /// The right one in both channels.
        case right
        /// The mean of both in both channels.
        case mono
        /// Each in the other's channel.
        case swap
        /// The mean of both, of which only what lies below the crossover is heard: a subwoofer.
        case sub

        /// How the channels are mixed.
        public var matrix: ChannelMatrix {
            switch self {
            case .stereo: .stereo
            case .left: .left
            case .right: .right
            case .mono, .sub: .mono
            case .swap: .swapped
            }
        }
    }

    /// Hertz of a crossover to a subwoofer that names none.
    public static let usualCrossover = 80.0

    /// The sides.
    public var sides: Sides
    /// Hertz of the crossover: a subwoofer plays what lies below, everything else what lies above; nil for all of it.
    public var crossover: Double?

    /// A selection; a subwoofer always has a crossover.
    public init(_ sides: Sides, crossover: Double? = nil) {
        self.sides = sides
        self.crossover = sides == .sub ? crossover ?? Self.usualCrossover : crossover
    }

    /// Reads `stereo`, `left above 80`, `sub below 60`, `sub 60`.
    ///
    /// - Throws: `ChainError.syntax` with what would be right.
    public init(parsing text: String) throws(ChainError) {
        let usage = ChainError.syntax(
            line: 0,
            "channels are stereo, left, right, mono, swap or sub, with `above HZ` (for sub: `below HZ`) beside a subwoofer"
        )
        var words = text.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }[...]
        guard let sides = words.popFirst().flatMap(Sides.init(rawValue:)) else { throw usage }
        if words.first == (sides == .sub ? "below" : "above") {
            words.removeFirst()
        } else if sides != .sub, !words.isEmpty {
            throw usage
        }
        guard let last = words.popFirst() else {
            guard text.split(separator: " ").count == 1 else { throw usage }
            self.init(sides)
            return
        }
        guard words.isEmpty, let frequency = Double(last), frequency.isFinite else { throw usage }
        self.init(sides, crossover: frequency)
    }

    /// The effects that it takes; none for all of both sides.
    var effects: [Effect] {
        var effects: [Effect] = sides == .stereo ? [] : [.channels(sides.matrix)]
        if let crossover {
            effects.append(.crossover(Crossover(sides == .sub ? .low : .high, frequency: crossover)))
        }
        return effects
    }
}

extension ChannelSelection: CustomStringConvertible {
    /// A text that is read as the same selection.
    public var description: String {
        guard let crossover else { return sides.rawValue }
        return "\(sides.rawValue) \(sides == .sub ? "below" : "above") \(crossover)"
    }
}
