import Glibc
import Testing
import TuttiChain
import TuttiEffects

@Suite("Rooms of reverberation") struct ReverbRoomTests {
    @Test("no two lines' lengths have a common divisor", arguments: Reverb.Preset.allCases, [8_000.0, 48_000, 192_000])
    func lengths(preset: Reverb.Preset, rate: Double) {
        let lengths = ReverbRoom(preset).lineLengths(count: 32, rate: rate)
        #expect(Set(lengths).count == 32 && lengths == lengths.sorted())
        for length in lengths {
            #expect(!(2..<length).contains { $0 * $0 <= length && length.isMultiple(of: $0) }, "\(length)")
        }
    }

    @Test("a line's filter loses what the decay asks for, and never gains", arguments: Reverb.Preset.allCases)
    func filters(preset: Reverb.Preset) {
        let room = ReverbRoom(preset)
        for rate in [8_000.0, 44_100, 48_000, 192_000] {
            for length in room.lineLengths(count: 32, rate: rate) {
                let (b0, b1, a) = room.filter(length: length, rate: rate)
                func level(_ frequency: Double) -> Double {
                    let angle = 2 * .pi * frequency / rate
                    let numerator = b0 * b0 + b1 * b1 + 2 * b0 * b1 * cos(angle)
                    return 10 * log10(numerator / (1 + a * a - 2 * a * cos(angle)))
                }
                #expect(abs(level(0) + 60 * Double(length) / rate / room.lowDecay) < 1e-9)
                #expect(stride(from: 0, through: rate / 2, by: rate / 64).allSatisfy { level($0) < 0 })
                guard rate > 20_000 else { continue }
                #expect(abs(level(8_000) + 60 * Double(length) / rate / room.highDecay) < 0.01)
            }
        }
    }
}
