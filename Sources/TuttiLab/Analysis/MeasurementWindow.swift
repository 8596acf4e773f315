/// One window in which rooms are compared, in samples of the axis of true time.
package struct MeasurementWindow: Sendable, Equatable {
    package var start: Int
    /// Its length, a power of two.
    package var size: Int

    /// Its middle.
    package var center: Int { start + size / 2 }
    package var range: Range<Int> { start..<start + size }

    package init(start: Int, size: Int) {
        self.start = start
        self.size = size
    }

    /// 171 ms: a bar of music has something to say about time in each of them.
    package static let usual = 8192
    /// 85 ms, for the first second of sound: with one every 100 ms none looks beyond its own tenth of a second.
    package static let brief = 4096
    /// From one window to the next: 100 ms.
    package static let hop = 4800
    /// How long windows are brief for.
    private static let opening = 48000

    /// Windows from the first beginning of sound until `end`: one every 100 ms, brief for a second after each
    /// beginning.
    /// - Parameters:
    ///   - beginnings: where rooms begin to sound, or sound again; those less than 100 ms after another count as one.
    ///   - end: the end of the longest recording.
    package static func schedule(beginnings: [Int], end: Int) -> [MeasurementWindow] {
        var pending: [Int] = []
        for beginning in beginnings.sorted() where pending.last.map({ beginning - $0 >= hop }) ?? true {
            pending.append(beginning)
        }
        guard var time = pending.first else { return [] }
        var windows: [MeasurementWindow] = []
        var briefUntil = time
        var next = pending[...]
        while true {
            if let beginning = next.first, beginning <= time {
                briefUntil = beginning + opening
                next = next.dropFirst()
            }
            let window = MeasurementWindow(start: time, size: time < briefUntil ? brief : usual)
            guard window.range.upperBound <= end else { return windows }
            windows.append(window)
            time = min(time + hop, next.first ?? Int.max)
        }
    }
}
