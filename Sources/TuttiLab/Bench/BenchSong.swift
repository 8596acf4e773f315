import Foundation

/// The song of a run: the lab's own piece as WAV (the truth to compare with) and as FLAC (what is played).
package struct BenchSong: Sendable {
    package var wave: String
    package var flac: String
    /// The FLAC files that are played one after the other: the whole, or its pieces.
    package var pieces: [String]
    package var seconds: Double
    package var rate: Int

    /// Writes both files, unless they are there from an earlier run.
    /// - Parameters:
    ///   - seconds: length of the piece, 16 bit, stereo.
    ///   - rate: frames a second.
    ///   - pieces: how many equal pieces it is played in.
    ///   - directory: where they go.
    package init(seconds: Double, rate: Int = 48000, pieces count: Int = 1, directory: String) throws(LabError) {
        self.seconds = seconds
        self.rate = rate
        wave = "\(directory)/song-\(rate)-\(Int(seconds)).wav"
        flac = "\(directory)/song-\(rate)-\(Int(seconds)).flac"
        pieces = count == 1 ? [flac] : (1...count).map { "\(directory)/song-\(rate)-\(Int(seconds))-\($0).flac" }
        if !FileManager.default.fileExists(atPath: wave) {
            let path = wave
            try LabError.failing { try Piece(seconds: seconds, sampleRate: rate).render().write(to: path) }
        }
        let length = Int(seconds * Double(rate)) / count
        for (index, piece) in pieces.enumerated() where !FileManager.default.fileExists(atPath: piece) {
            let range = count == 1 ? [] : ["--skip=\(index * length)", "--until=\((index + 1) * length)"]
            try Tool.run(["flac", "-s", "-f"] + range + ["-o", piece, wave])
        }
    }
}
