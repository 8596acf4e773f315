import Foundation

/// What a card played, with the truth about when: its log and the recordings that the log names.
package struct CardRecording: Sendable {
    /// The card's name: the log's, without its ending.
    package var name: String
    /// When frames left.
    package var truth: TruthLog
    /// The recording of each run, by the run's place in `truth.runs`; runs of one file share its samples.
    package var recordings: [WaveFile]

    /// A recording from its parts (one file for all runs).
    package init(name: String, truth: TruthLog, recording: WaveFile) {
        self.name = name
        self.truth = truth
        recordings = truth.runs.map { _ in recording }
    }

    /// Reads a card by its log (`h1.log`, `h1.wav.timing.json`) or its recording (`h1.wav`).
    package init(path: String) throws(AnalysisError) {
        let (log, wave) = Self.files(of: path)
        truth = try TruthLog(path: log)
        name = URL(fileURLWithPath: wave).deletingPathExtension().lastPathComponent
        let folder = URL(fileURLWithPath: log).deletingLastPathComponent()
        var files: [String: WaveFile] = [:]
        recordings = []
        for run in truth.runs {
            let file = run.file.map { folder.appendingPathComponent($0).path } ?? wave
            if let known = files[file] {
                recordings.append(known)
            } else {
                let recording = try WaveFile(path: file)
                files[file] = recording
                recordings.append(recording)
            }
        }
    }

    private static func files(of path: String) -> (log: String, wave: String) {
        let timing = ".timing.json"
        if path.hasSuffix(timing) { return (path, String(path.dropLast(timing.count))) }
        let base = URL(fileURLWithPath: path).deletingPathExtension().path
        if path.hasSuffix(".wav") {
            let beside = path + timing
            return (FileManager.default.fileExists(atPath: beside) ? beside : base + ".log", path)
        }
        return (path, base + ".wav")
    }
}
