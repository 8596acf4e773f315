import TuttiHost

/// The truth about a recording, beside it: which frame left when.
///
/// One line of JSON for each run: `{"run":1,"t0_raw_ns":…,"rate":48000,"ppm":80.0,"first_frame":F,"frames":N}` says
/// that frame `F + i` of the recording, for `i < N`, left at `t0 + i / (rate·(1 + ppm·10⁻⁶))` of this host's
/// `CLOCK_MONOTONIC_RAW`, which `TUTTI_TEST_CLOCK` does not warp. The last line's count is brought up to date in place,
/// about once a second.
final class TimingLog {
    /// Digits that a count has room for.
    private static let countWidth = 20

    private let file: RecordingFile
    private var end: Int64
    private var countOffset: Int64?

    /// Opens the log; it resumes at byte `end` of what is there, or begins again at 0.
    ///
    /// - Throws: `HostError.file`.
    init(path: String, end: Int64) throws(HostError) {
        file = try RecordingFile(path: path, isEmptied: end == 0)
        self.end = end
    }

    /// Bytes so far.
    var byteCount: Int64 { end }

    var failure: HostError? { file.failure }

    /// Begins the line of a run.
    func beginRun(_ run: Int, t0: Int64, rate: Int, ppm: Double, firstFrame: Int64) {
        let head =
            "{\"run\":\(run),\"t0_raw_ns\":\(t0),\"rate\":\(rate),\"ppm\":\(ppm),"
            + "\"first_frame\":\(firstFrame),\"frames\":"
        let line =
            Array(head.utf8) + Array(repeating: UInt8(ascii: " "), count: Self.countWidth - 1) + Array("0}\n".utf8)
        line.withUnsafeBytes { file.write($0, at: end) }
        countOffset = end + Int64(head.utf8.count)
        end += Int64(line.count)
    }

    /// Sets the count of the run that was begun last. Allocates nothing.
    func setFrames(_ frames: Int64) {
        guard let countOffset, frames >= 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: Self.countWidth, alignment: 1) { digits in
            var rest = frames
            for index in digits.indices.reversed() {
                let isNeeded = rest > 0 || index == digits.count - 1
                digits[index] = isNeeded ? UInt8(ascii: "0") + UInt8(rest % 10) : UInt8(ascii: " ")
                rest /= 10
            }
            file.overwrite(UnsafeRawBufferPointer(digits), at: countOffset)
        }
    }

    /// The run is over.
    func endRun(frames: Int64) {
        setFrames(frames)
        countOffset = nil
    }

    func close() { file.close() }
}
