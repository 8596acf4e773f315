package import Synchronization
package import TuttiClock
package import TuttiCore

/// What the render thread and the others share about the reference line: atomics and slots only, so that neither side
/// waits.
package final class ReferenceRoom: Sendable {
    /// How playback time, which timebases are in, runs against the group clock; empty where it is group time. Written
    /// by the network loop.
    package let line = ReferenceSlot()
    /// Whether this room is the reference. Written by the network loop.
    package let isReference = Atomic<Bool>(false)
    /// Nanoseconds from capture to sound of what plays live; 0 where nothing is live. Written by the network loop.
    package let captureLatency = Atomic<Int64>(0)
    /// Where this room's card stands, for the line to follow; empty while it is not the reference. Written by the
    /// render thread.
    package let card = ReferenceSlot()
    /// Bits of a source sample that has lost none; 0 for a codec that has lost some.
    private let sourceBits = Atomic<Int>(0)
    private let fidelityCode = Atomic<UInt8>(Fidelity.silent.rawValue)

    /// Bits that a sample keeps on its way to the card: those of a float's mantissa.
    private static let floatBits = 24

    /// A room that is no reference.
    package init() {}

    /// Whether the card gets the source's own bits, and if not, why.
    package var fidelity: Fidelity {
        get { Fidelity(rawValue: fidelityCode.load(ordering: .relaxed)) ?? .silent }
        set { fidelityCode.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Takes note of what is decoded now.
    package func noteSource(_ format: AudioFormat) {
        let bits = format.codec.isLossless ? format.bitDepth : 0
        sourceBits.store(bits, ordering: .relaxed)
    }

    /// Whether a card of `bits` can have all bits of the source; nil where the codec has lost some.
    package func fits(bits: Int) -> Bool? {
        let source = sourceBits.load(ordering: .relaxed)
        return source == 0 ? nil : source <= min(bits, Self.floatBits)
    }

    /// Forgets line and part.
    package func clear() {
        line.clear()
        isReference.store(false, ordering: .relaxed)
        captureLatency.store(0, ordering: .relaxed)
    }
}

/// Whether a reference room's card gets the source's own bits, and if not, why.
package enum Fidelity: UInt8, Sendable, CaseIterable {
    /// It does.
    case exact
    /// Nothing sounds.
    case silent
    /// The others are being brought to the card's rate first.
    case aligning
    /// The track has another sample rate than the card.
    case sampleRate
    /// The track has more bits than the card.
    case bitDepth
    /// The codec on the wire has lost some already.
    case codec
    /// Left and right are mixed for a card of one channel.
    case channels
    /// The volume is not 100, or the sound is lowered.
    case volume
    /// An announcement is mixed in.
    case announcement
    /// Something fades in or out.
    case fade

    /// Why not, for people; nil where it does.
    package var reason: String? {
        switch self {
        case .exact: nil
        case .silent: "nothing plays"
        case .aligning: "the other rooms are adjusting to this card's rate"
        case .sampleRate: "the track's sample rate is not the card's"
        case .bitDepth: "the track has more bits than the card"
        case .codec: "the codec on the network is lossy"
        case .channels: "the card has one channel"
        case .volume: "the volume is not 100"
        case .announcement: "an announcement plays"
        case .fade: "the sound fades in or out"
        }
    }
}
