/// Leaves out the timestamps of single pictures that are far from those around them: a damaged file has them, and each
/// would hold up, or push away, all that follow. Sans-I/O; all times are in one unit, the track's.
///
/// A time is left out if it is far from the one before, and of the next few pictures more are near that again than near
/// this one. So the times of slides, and those after a cut, stay as they are.
package struct LoneTimestamps<Picture> {
    /// A picture with the times that are left of it.
    package struct Judged {
        package let picture: Picture
        package var presentation: Int64?
        package var decoding: Int64?
        package let duration: Int64
    }

    /// Pictures that are looked at behind one: as many wrong ones in a row are noticed, less one.
    private static var lookahead: Int { 4 }

    private let far: Int64
    private var held: [Judged] = []
    private var (lastPresentation, lastDecoding): (Int64?, Int64?)
    private var isOver = false
    /// Times that were left out.
    package private(set) var count = 0

    /// - Parameter far: what lies further away than this is far.
    package init(far: Int64) { self.far = max(0, far) }

    /// Takes the next picture in decoding order.
    package mutating func append(_ picture: Picture, presentation: Int64?, decoding: Int64?, duration: Int64) {
        held.append(Judged(picture: picture, presentation: presentation, decoding: decoding, duration: duration))
    }

    /// Nothing follows.
    package mutating func finish() { isOver = true }

    /// The next picture whose times have been judged.
    package mutating func popFirst() -> Judged? {
        guard isOver ? !held.isEmpty : held.count > Self.lookahead else { return nil }
        var first = held.removeFirst()
        if isLone(first.presentation, after: lastPresentation, held.map(\.presentation)) {
            (first.presentation, count) = (nil, count + 1)
        }
        if isLone(first.decoding, after: lastDecoding, held.map(\.decoding)) {
            (first.decoding, count) = (nil, count + 1)
        }
        (lastPresentation, lastDecoding) = (first.presentation ?? lastPresentation, first.decoding ?? lastDecoding)
        return first
    }

    private func isLone(_ time: Int64?, after last: Int64?, _ following: [Int64?]) -> Bool {
        guard let time, let last, !isNear(time, last) else { return false }
        let following = following.prefix(Self.lookahead).compactMap(\.self)
        return following.count { isNear($0, last) } > following.count { isNear($0, time) }
    }

    private func isNear(_ left: Int64, _ right: Int64) -> Bool {
        let (distance, overflow) = left.subtractingReportingOverflow(right)
        return !overflow && distance.magnitude <= far.magnitude
    }
}
