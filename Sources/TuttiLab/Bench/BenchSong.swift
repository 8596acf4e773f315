import Foundation

/// The song of a run: the lab's own piece as WAV (the truth to compare with) and as FLAC (what is played).
package struct BenchSong: Sendable {
    package var wave: String
    package var flac: String
    package var seconds: Double

    /// Writes both files, unless they are there from an earlier run.
    /// - Parameters:
    ///   - seconds: length of the piece, 48 kHz, 16 bit, stereo.
    ///   - directory: where they go.
    package init(seconds: Double, directory: String) throws(LabError) {
        self.seconds = seconds
        wave = "\(directory)/song-\(Int(seconds)).wav"
        flac = "\(directory)/song-\(Int(seconds)).flac"
        if !FileManager.default.fileExists(atPath: wave) {
            let data = Piece(seconds: seconds, sampleRate: 48000).render().encoded(bits: 16)
            do {
                try data.write(to: URL(fileURLWithPath: wave), options: .atomic)
            } catch {
                throw .runFailed("cannot write \(wave)")
            }
        }
        if !FileManager.default.fileExists(atPath: flac) { try Tool.run(["flac", "-s", "-f", "-o", flac, wave]) }
    }
}
