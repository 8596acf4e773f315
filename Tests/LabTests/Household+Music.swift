import Foundation
import TuttiLab

extension Household {
    /// Writes a piece of the lab's music as FLAC and returns it.
    ///
    /// - Parameters:
    ///   - from: where in the piece the file begins, in seconds; different places sound different.
    ///   - seconds: the file's length.
    @discardableResult
    func writeSong(_ name: String, from: Double = 0, seconds: Double, rate: Int = 48_000, bits: Int = 16) throws
        -> WaveFile
    {
        let piece = Piece(seconds: from + seconds + 2, sampleRate: rate).render()
        let first = Int(from * Double(rate))
        let range = first..<first + Int(seconds * Double(rate))
        let song = WaveFile(sampleRate: rate, channels: piece.channels.map { Array($0[range]) })
        let wave = path(name + ".wav")
        try song.write(to: wave, bits: bits)
        try Tool.run(["flac", "-s", "-f", "-o", path(name + ".flac"), wave])
        return song
    }

    /// Writes a song of the lab's whose sides are the same, for rooms of one loudspeaker beside others.
    func writeMonoSong(_ name: String, seconds: Double) throws -> WaveFile {
        let piece = Piece(seconds: seconds + 2, sampleRate: 48_000).render()
        let side = Array(piece.channels[0][..<Int(seconds * 48_000)])
        let song = WaveFile(sampleRate: 48_000, channels: [side, side])
        let wave = path(name + ".wav")
        try song.write(to: wave)
        try Tool.run(["flac", "-s", "-f", "-o", path(name + ".flac"), wave])
        return song
    }
}
