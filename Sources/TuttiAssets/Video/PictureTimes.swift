/// Repairs the timestamps of pictures, which come in decoding order. Sans-I/O; all times are in one unit, the track's.
///
/// - A picture without a presentation time but with a decoding time: containers that store decoding times only (AVI,
///   MPEG program streams) leave it out where pictures are reordered. B-pictures are presented when they are decoded.
///   Any other one is presented when the next such one is decoded (ISO/IEC 13818-1, 2.7.5), so it waits for that.
/// - A picture without both follows its predecessor after one picture's duration.
/// - Where decoding times go back, or where the medium allows for breaks and they leap, they go on from the picture
///   before, and so do all that follow.
package struct PictureTimes<Picture> {
    /// A picture and its times.
    package struct Placed {
        package let picture: Picture
        /// From when on it is shown.
        package let presentation: Int64
        /// When it is decoded. Does not fall, but for steps of less than the longest return.
        package let decoding: Int64
        /// How long it is shown; 0 when unknown.
        package let duration: Int64
    }

    private struct Waiting {
        let picture: Picture
        var presentation: Int64?
        let decoding: Int64
        let duration: Int64
    }

    /// Larger timestamps than this are no times.
    private static var limit: Int64 { 1 << 61 }
    /// More pictures than this do not wait for a presentation time.
    private static var maximumWaiting: Int { 64 }

    private let frameDuration: Int64
    private let longestReturn: Int64
    private let longestGap: Int64?
    private var waiting: [Waiting] = []
    /// The picture that waits for its presentation time, which is the first one that cannot be given out.
    private var unknown: Int?
    private var offset: Int64 = 0
    private var last: (decoding: Int64, step: Int64)?

    /// Begins with any times.
    ///
    /// - Parameters:
    ///   - frameDuration: how long a picture is shown that does not tell.
    ///   - longestReturn: decoding times that go back further are a break.
    ///   - longestGap: so are those that leap further; nil where a picture may be shown for any time.
    package init(frameDuration: Int64, longestReturn: Int64, longestGap: Int64? = nil) {
        self.frameDuration = max(1, frameDuration)
        self.longestReturn = max(0, longestReturn)
        self.longestGap = longestGap.map { max(0, $0) }
    }

    /// Takes the next picture. A duration that is not positive is an unknown one.
    package mutating func append(_ picture: Picture, presentation: Int64?, decoding: Int64?, duration: Int64) {
        let presentation = Self.sensible(presentation)
        let decoding = Self.sensible(decoding)
        let known = (1...1 << 31).contains(duration) ? duration : 0
        let place = place(decoding ?? presentation)
        last = (place, known > 0 ? known : frameDuration)
        var shown = presentation.map { Self.sum($0, offset) }
        if presentation == nil, decoding == nil { shown = place }
        if shown != place { resolve(at: place) }
        waiting.append(Waiting(picture: picture, presentation: shown, decoding: place, duration: known))
        if shown == nil { unknown = waiting.count - 1 }
        if let unknown, waiting.count > Self.maximumWaiting { resolve(at: waiting[unknown].decoding) }
    }

    /// Nothing follows.
    package mutating func finish() {
        if let last { resolve(at: Self.sum(last.decoding, last.step)) }
    }

    /// The next picture in decoding order whose times are known.
    package mutating func popFirst() -> Placed? {
        guard let presentation = waiting.first?.presentation else { return nil }
        let first = waiting.removeFirst()
        unknown = unknown.map { $0 - 1 }
        return Placed(
            picture: first.picture, presentation: presentation, decoding: first.decoding, duration: first.duration)
    }

    private mutating func resolve(at time: Int64) {
        guard let index = unknown else { return }
        waiting[index].presentation = time
        unknown = nil
    }

    /// When a picture with this timestamp is decoded.
    private mutating func place(_ timestamp: Int64?) -> Int64 {
        guard let last else { return timestamp ?? 0 }
        let expected = Self.sum(last.decoding, last.step)
        guard let timestamp else { return expected }
        let place = Self.sum(timestamp, offset)
        let step = Int128(place) - Int128(last.decoding)
        let isBreak = step < -Int128(longestReturn) || longestGap.map { step > Int128($0) } ?? false
        guard isBreak else { return place }
        offset = Self.sum(expected, -timestamp)
        return expected
    }

    private static func sensible(_ timestamp: Int64?) -> Int64? {
        timestamp.flatMap { (-limit...limit).contains($0) ? $0 : nil }
    }

    /// Clamped, so that many breaks do not add up to an overflow.
    private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? (first < 0 ? -(1 << 62) : 1 << 62) : max(-(1 << 62), min(1 << 62, sum))
    }
}
