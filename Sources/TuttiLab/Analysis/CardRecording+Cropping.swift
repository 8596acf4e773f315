extension CardRecording {
    /// What the card played from a moment on (ns of CLOCK_MONOTONIC_RAW); runs are cut at a whole frame.
    package func cropped(from time: Int64) -> CardRecording {
        var result = self
        result.truth.runs = []
        result.recordings = []
        for (run, recording) in zip(truth.runs, recordings) where run.end > time {
            var run = run
            if run.start < time {
                let frames = Int((Double(time - run.start) / 1e9 * run.trueRate).rounded(.up))
                guard frames < run.frames else { continue }
                run.firstFrame += frames
                run.frames -= frames
                run.start += Int64((Double(frames) / run.trueRate * 1e9).rounded())
            }
            result.truth.runs.append(run)
            result.recordings.append(recording)
        }
        result.truth.events.removeAll { event in event.time.map { $0 < time } ?? false }
        return result
    }

    /// What the card played up to a moment (ns of CLOCK_MONOTONIC_RAW).
    package func cropped(to time: Int64) -> CardRecording {
        var result = self
        result.truth.runs = []
        result.recordings = []
        for (run, recording) in zip(truth.runs, recordings) where run.start < time {
            var run = run
            if run.end > time { run.frames = Int(Double(time - run.start) / 1e9 * run.trueRate) }
            guard run.frames > 0 else { continue }
            result.truth.runs.append(run)
            result.recordings.append(recording)
        }
        result.truth.events.removeAll { event in event.time.map { $0 >= time } ?? false }
        return result
    }
}
