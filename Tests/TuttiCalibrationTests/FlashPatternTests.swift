import Foundation
import Testing
import TuttiCalibration
import TuttiCore

@Suite struct FlashPatternTests {
    @Test func fitsItselfAtOnePlaceOnly() {
        for shift in stride(from: 0.06, through: 2, by: 0.01) {
            let shared = FlashPattern.instants.count { instant in
                FlashPattern.instants.contains { abs($0 - instant - shift) < 0.03 }
            }
            #expect(shared <= 6, "\(shift): \(shared)")
        }
    }

    /// What rounding to pictures leaves on average, in milliseconds: the first terms of a saw tooth's Fourier series.
    @Test(arguments: [23.976, 24, 25, 29.97, 30, 50, 59.94, 60])
    func beginsAndEndsInAllPartsOfAPicture(frameRate: Double) {
        let edges = FlashPattern.instants + FlashPattern.instants.map { $0 + FlashPattern.flashSeconds }
        let rest = (1...3).reduce(0.0) { sum, harmonic in
            let angles = edges.map { 2 * Double.pi * Double(harmonic) * frameRate * $0 }
            let (x, y) = (angles.reduce(0) { $0 + cos($1) }, angles.reduce(0) { $0 + sin($1) })
            return sum + hypot(x, y) / Double(edges.count) / Double(harmonic) / .pi
        }
        #expect(1_000 / frameRate * rest < (frameRate > 40 ? 0.5 : 1.1))
    }

    @Test func flashesFewerThanThreeTimesASecond() {
        let distances = zip(FlashPattern.instants.dropFirst(), FlashPattern.instants).map { $0 - $1 }
        #expect(distances.allSatisfy { $0 > 2 * FlashPattern.flashSeconds && $0 < 0.9 })
        #expect((FlashPattern.instants.last ?? 0) + FlashPattern.flashSeconds + 1 < FlashPattern.duration)
    }

    @Test func filmIsAMatroskaFileOfThatLength() {
        let bytes = FlashFilm.bytes()
        #expect(bytes.prefix(4) == [0x1A, 0x45, 0xDF, 0xA3])
        let sound = Int(FlashPattern.duration * Double(FlashPattern.sampleRate)) * 2
        #expect((sound..<sound + 40_000).contains(bytes.count))
        let whites = bytes.indices.dropLast(3).count {
            bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
        }
        #expect(whites >= 2 * FlashPattern.instants.count + 1)
    }
}
