#if FFmpeg
package import TuttiCore

extension FilmReader {
    /// Pictures and their bytes that a seek reads ahead at most.
    private static let (maximumAhead, maximumAheadBytes) = (4_096, 128 << 20)
    /// Seconds before the time sought at which the medium is entered, in turn, until a sync picture lies between.
    /// Containers find places by decoding times, which are earlier, or by bytes.
    private static let margins: [Int64] = [0, 1, 4, 16, 64]

    /// Makes `next` begin with the last sync picture whose time is at or before `time`; with the first one where all
    /// are later.
    ///
    /// - Throws: `.notSeekable` for a pipe; what the medium says otherwise.
    package func seek(to time: MediaTime) throws(AssetError) {
        let target = max(time, .zero)
        guard canReopen else { throw .notSeekable(input.name) }
        if demuxer.isSeekable {
            for margin in Self.margins {
                let place = target - MediaTime(frame: margin, sampleRate: 1)
                guard demuxer.seek(to: timeline.timestamp(at: place)) else { break }
                restart()
                if try collect(until: target, fromStart: false) { return }
            }
        }
        try reopen(track)
        _ = try collect(until: target, fromStart: true)
    }

    /// Reads up to where no later sync picture can have a time at or before `target`, and keeps what lies between.
    ///
    /// - Parameter fromStart: this is the medium's beginning, so nothing lies before the first sync picture.
    /// - Returns: false, having kept nothing, when the first sync picture is behind the target.
    private func collect(until target: MediaTime, fromStart: Bool) throws(AssetError) -> Bool {
        var kept: [VideoSampleBuffer] = []
        var byteCount = 0
        var isLate = false
        while !isLate, let picture = try read() {
            isLate = picture.decodingTime > target
            if picture.buffer.isSync, picture.presentationTime <= target {
                (kept, byteCount) = ([], 0)
            } else if kept.isEmpty {
                guard picture.buffer.isSync else {
                    // None at all before the time: somewhere further back there may be one.
                    if isLate, !fromStart { return false }
                    isLate = false
                    continue
                }
                guard fromStart else { return false }
            }
            kept.append(picture.buffer)
            byteCount += picture.buffer.data.count
            isLate = isLate || kept.count >= Self.maximumAhead || byteCount >= Self.maximumAheadBytes
        }
        ahead = kept[...]
        return !kept.isEmpty || fromStart
    }
}
#endif
