import Foundation

/// The song of a run: the lab's own piece as WAV (the truth to compare with) and as FLAC (what is played).
package struct BenchSong: Sendable {
    package var wave: String
    package var flac: String
    package var seconds: Double
    package var rate: Int

    /// Writes both files, unless they are there from an earlier run.
    /// - Parameters:
    ///   - seconds: length of the piece, 16 bit, stereo.
    ///   - rate: frames a second.
    ///   - directory: where they go.
    package init(seconds: Double, rate: Int = 48000, directory: String) throws(LabError) {
        self.seconds = seconds
        self.rate = rate
        wave = "\(directory)/song-\(rate)-\(Int(seconds)).wav"
        flac = "\(directory)/song-\(rate)-\(Int(seconds)).flac"
        if !FileManager.default.fileExists(atPath: wave) {
            let data = Piece(seconds: seconds, sampleRate: rate).render().encoded(bits: 16)
            do {
                try data.write(to: URL(fileURLWithPath: wave), options: .atomic)
            } catch {
                throw .runFailed("cannot write \(wave)")
            }
        }
        if !FileManager.default.fileExists(atPath: flac) { try Tool.run(["flac", "-s", "-f", "-o", flac, wave]) }
    }
}
