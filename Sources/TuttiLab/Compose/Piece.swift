import Foundation

/// The laboratory's own music: a short piece in D major for electric piano, strings, bass, bells and soft percussion.
///
/// It is the same samples every time. Its melody does not repeat, so that every moment of it can be told from every
/// other, and its shaker reaches the top of the band: a recording can be placed to a fraction of a microsecond.
package struct Piece: Sendable {
    private static let beat = 60.0 / 96
    private static let bar = 4 * beat
    /// Seconds of the fade at the end.
    private static let fade = 1.8

    /// Seconds from the first sample to the last.
    package var seconds: Double
    /// Frames a second.
    package var sampleRate: Int

    /// A piece of this length.
    package init(seconds: Double, sampleRate: Int) {
        self.seconds = seconds
        self.sampleRate = sampleRate
    }

    /// One bar's harmony: half tones above C0 (the bass) and above C4 (the others).
    private struct Chord {
        var bass: Int
        var voices: [Int]
        var melody: [Int]
    }

    private static let chords = [
        Chord(bass: 26, voices: [50, 57, 61, 64], melody: [62, 64, 66, 69, 73, 74, 76]),  // D major 7, 9
        Chord(bass: 23, voices: [50, 57, 59, 66], melody: [61, 62, 66, 69, 71, 74, 78]),  // B minor 7
        Chord(bass: 31, voices: [50, 55, 59, 66], melody: [62, 66, 67, 69, 71, 74, 79]),  // G major 7
        Chord(bass: 33, voices: [50, 55, 59, 64], melody: [62, 64, 67, 69, 71, 76, 78]),  // A 11
        Chord(bass: 30, voices: [52, 57, 61, 64], melody: [61, 64, 66, 69, 71, 73, 76]),  // F sharp minor 7
        Chord(bass: 23, voices: [54, 57, 62, 66], melody: [62, 64, 66, 69, 71, 73, 78]),  // B minor 7
        Chord(bass: 28, voices: [55, 59, 62, 66], melody: [64, 66, 67, 71, 74, 76, 79]),  // E minor 9
        Chord(bass: 33, voices: [55, 59, 61, 64], melody: [61, 64, 67, 69, 71, 73, 76]),  // A 9
    ]

    /// When the bells play in a bar, in beats.
    private static let rhythms: [[Double]] = [
        [0, 0.5, 1.5, 2, 3], [0, 1, 1.5, 2.5, 3, 3.5], [0.5, 1, 2, 2.5, 3.5], [0, 0.75, 1.5, 2, 2.75, 3.5],
        [0, 1.5, 3],
    ]

    /// Plays the piece: stereo, peak at −1.5 dB of full scale.
    package func render() -> WaveFile {
        var mixer = Mixer(sampleRate: sampleRate, frames: Int(seconds * Double(sampleRate)))
        for note in score() { mixer.add(note) }
        return mixer.master(fade: Self.fade, peak: 0.84)
    }

    private func score() -> [Note] {
        let bars = max(1, Int((seconds - Self.fade) / Self.bar))
        var random = NoiseSource(seed: 20)
        var melodyPlace = 3
        var notes: [Note] = []
        for bar in 0..<bars {
            let chord = Self.chords[bar % Self.chords.count]
            let start = Double(bar) * Self.bar
            notes += harmony(chord, start, isSyncopated: bar % 2 == 1) + bass(chord, start) + drums(start, bar)
            notes += melody(chord, start, &random, &melodyPlace)
        }
        return notes + ending(Double(bars) * Self.bar)
    }

    private static func frequency(_ halfTones: Int) -> Double { 440 * exp2(Double(halfTones - 69) / 12) }

    private func harmony(_ chord: Chord, _ start: Double, isSyncopated: Bool) -> [Note] {
        let strokes: [(Double, Double)] = isSyncopated ? [(0, 1.2), (1.5, 0.8), (2.5, 1.4)] : [(0, 1.4), (2.5, 1.3)]
        var notes: [Note] = []
        for (index, voice) in chord.voices.enumerated() {
            let spread = Double(index) / 3 - 0.5
            for (beat, length) in strokes {
                // A hand is never quite together.
                let time = start + beat * Self.beat + 0.006 * Double(index)
                notes.append(
                    Note(
                        instrument: .keys, start: time, duration: length * Self.beat,
                        frequency: Self.frequency(voice + 12),
                        gain: 0.13, pan: spread * 0.7, room: 0.1))
            }
            notes.append(
                Note(
                    instrument: .pad, start: start, duration: Self.bar - 0.3, frequency: Self.frequency(voice),
                    gain: 0.045, pan: -spread * 1.4, room: 0.2))
        }
        return notes
    }

    private func bass(_ chord: Chord, _ start: Double) -> [Note] {
        let line: [(Double, Double, Int)] = [(0, 1.3, 0), (1.5, 0.8, 0), (2.5, 0.7, 7), (3.5, 0.4, 12)]
        return line.map { beat, length, interval in
            Note(
                instrument: .bass, start: start + beat * Self.beat, duration: length * Self.beat,
                frequency: Self.frequency(chord.bass + 12 + interval), gain: 0.32, pan: 0, room: 0.02)
        }
    }

    private func drums(_ start: Double, _ bar: Int) -> [Note] {
        func hit(_ instrument: Instrument, _ beat: Double, _ gain: Double, _ pan: Double) -> Note {
            Note(
                instrument: instrument, start: start + beat * Self.beat, duration: 0.3, frequency: 0, gain: gain,
                pan: pan, room: 0.06)
        }
        var notes = [hit(.kick, 0, 0.4, 0), hit(.kick, bar % 2 == 0 ? 2 : 2.5, 0.34, 0)]
        notes += [hit(.brush, 1, 0.075, -0.15), hit(.brush, 3, 0.085, -0.15)]
        for eighth in 0..<8 {
            let isOff = eighth % 2 == 1
            // The off-beats come late and a little louder: that is what swings.
            notes.append(hit(.shaker, Double(eighth) / 2 + (isOff ? 0.04 : 0), isOff ? 0.05 : 0.035, 0.4))
        }
        return notes
    }

    private func melody(_ chord: Chord, _ start: Double, _ random: inout NoiseSource, _ place: inout Int) -> [Note] {
        Self.rhythms[random.choice(Self.rhythms.count)].flatMap { beat -> [Note] in
            let step = [-2, -1, -1, 1, 1, 2, 3][random.choice(7)]
            place += step
            if !chord.melody.indices.contains(place) { place -= 2 * step }
            place = max(0, min(chord.melody.count - 1, place))
            let note = Note(
                instrument: .bells, start: start + beat * Self.beat, duration: 0.5,
                frequency: Self.frequency(chord.melody[place] + 12), gain: 0.16 + 0.03 * random.next(), pan: 0.25,
                room: 0.18)
            // An echo on the other side, three eighths later.
            var echo = note
            (echo.start, echo.gain, echo.pan) = (note.start + 0.75 * Self.beat, note.gain * 0.3, -0.6)
            return [note, echo]
        }
    }

    private func ending(_ start: Double) -> [Note] {
        let length = max(0.5, seconds - start)
        let chord = [38, 50, 57, 62, 64, 66, 69]
        return chord.enumerated().flatMap { index, voice in
            let pan = Double(index) / 6 - 0.5
            return [
                Note(
                    instrument: .keys, start: start + 0.03 * Double(index), duration: length,
                    frequency: Self.frequency(voice + 12), gain: 0.14, pan: pan, room: 0.12),
                Note(
                    instrument: .pad, start: start, duration: length, frequency: Self.frequency(voice), gain: 0.04,
                    pan: -pan, room: 0.2),
            ]
        }
    }
}
