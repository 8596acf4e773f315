import Foundation
import TuttiCalibration
import TuttiCore

/// Makes recordings of the flash pattern by formula.
struct ScreenStudio {
    var frameRate = 60.0
    /// Seconds that pictures are later than sound.
    var late = 0.0
    /// The part of a picture's time that each row takes light in, and the part that the shutter takes to roll down.
    var exposure = 0.5
    var rolling = 0.4
    /// The light that a picture gets to the power of this is its brightness.
    var gamma = 0.45
    /// Standard deviation of the times between pictures, in seconds; pictures take light in when their times say.
    var jitter = 0.0
    /// The part of pictures that are missing.
    var dropped = 0.0
    /// How much the exposure drifts: the part by which brightness differs from beginning to end, and within a flash.
    var drift = 0.0
    /// Standard deviation of a picture's brightness.
    var flicker = 0.0
    /// Refreshes a second of the display, which hands pictures to the nearest; 0 for at once.
    var refreshRate = 0.0
    /// What flashes are in the picture, and what there is without.
    var bright = 0.6
    var dark = 0.05
    var sampleRate = 22_050
    var lead = 1.3
    var seconds = 17.0
    var recorderPpm = 0.0
    var gain = 0.2
    var noise = 0.0
    /// Noise that is made of a melody's harmonics.
    var music = 0.0
    var isEchoing = true
    /// Flashes and chirps that are there.
    var flashes = 0..<FlashPattern.instants.count
    var chirps = 0..<FlashPattern.instants.count
    var seed: UInt64 = 1

    func frames() -> [LuminanceSample] {
        var random = SplitMix64(seed: seed &+ 77)
        let interval = 1 / frameRate
        let phase = random.unit() * interval
        let refreshPhase = random.unit()
        func shown(_ time: Double) -> Double {
            guard refreshRate > 0 else { return time + late }
            return ((time * refreshRate - refreshPhase).rounded() + refreshPhase) / refreshRate + late
        }
        let lit = FlashPattern.instants.enumerated().filter { flashes.contains($0.offset) }.map {
            (shown($0.element) + lead, shown($0.element + FlashPattern.flashSeconds) + lead)
        }
        var frames: [LuminanceSample] = []
        for number in 0..<Int(seconds * frameRate) {
            let time = phase + Double(number) * interval + jitter * random.gaussian()
            let isMissing = random.unit() < dropped
            var sum = 0.0
            let rows = 12
            for row in 0..<rows {
                let begin = time + interval * rolling * (Double(row) + 0.5) / Double(rows)
                let end = begin + interval * exposure
                let light = lit.reduce(0) { $0 + max(0, min($1.1, end) - max($1.0, begin)) } / (end - begin)
                sum += pow(light, gamma)
            }
            let part = sum / Double(rows)
            let scale = 1 + drift * (time / seconds - 0.5) - drift * 0.2 * part * sin(time)
            let level = (dark + (bright - dark) * part) * scale + flicker * random.gaussian()
            if !isMissing {
                frames.append(
                    LuminanceSample(seconds: time * (1 + recorderPpm * 1e-6), luminance: min(max(level, 0), 1)))
            }
        }
        return frames
    }

    func samples() -> [Float] {
        var random = SplitMix64(seed: seed)
        let rate = Double(sampleRate) * (1 + recorderPpm * 1e-6)
        var samples = [Float](repeating: 0, count: Int(seconds * Double(sampleRate)))
        let paths = isEchoing ? [(0.0, 1.0), (0.0017, -0.6), (0.0073, 0.8), (0.0312, 0.5)] : [(0, 1)]
        for (index, instant) in FlashPattern.instants.enumerated() where chirps.contains(index) {
            for (delay, weight) in paths {
                let begin = (instant + lead + delay) * rate
                let first = Int(begin.rounded(.up))
                let end = min(samples.count, first + Int(Chirp.duration * rate) + 1)
                for frame in max(0, first)..<max(0, first, end) where frame < end {
                    samples[frame] += Float(gain * weight * Chirp.value(at: (Double(frame) - begin) / rate))
                }
            }
        }
        var tone = 0.0
        for frame in samples.indices {
            if frame % (sampleRate / 5) == 0 { tone = 220 * pow(2, Double(Int(random.unit() * 24)) / 12) }
            let time = Double(frame) / rate
            var other = noise > 0 ? noise * random.gaussian() : 0
            if music > 0 {
                for harmonic in 1...6 {
                    other += music / Double(harmonic) * sin(2 * .pi * tone * time * Double(harmonic))
                }
            }
            samples[frame] += Float(other)
        }
        return samples
    }

    func analysed() throws(ScreenCalibrationError) -> PictureLateness {
        try ScreenCalibration.analyse(frames(), samples: samples(), sampleRate: sampleRate)
    }
}
