/// Gives pictures presentation times where the medium stores none (H.264 and H.265 in AVI, or without a container): from
/// the order in which the coding says that they are shown. Sans-I/O; all times are in one unit, the track's.
///
/// The first picture is shown when the medium has its first one, the second with the second, and so on: AVI counts
/// pictures, and its sound begins with the first that is shown. A picture may so be decoded after its presentation time.
package struct PictureOrder<Picture> {
    /// A picture and its times.
    package struct Placed {
        package let picture: Picture
        package let presentation: Int64
        package let decoding: Int64
        package let duration: Int64
    }

    private struct Waiting {
        let picture: Picture
        let decoding: Int64
        let duration: Int64
        /// Pictures are shown in the order of their sequences, and of their numbers within one.
        let (sequence, number): (Int, Int)
        var presentation: Int64?
    }

    /// So many pictures are read until it is certain which of them is shown first (ITU-T H.264 and H.265: 16 at most
    /// are held back).
    private static var depth: Int { 16 }
    /// More pictures than this do not wait for one before them, whose number must be damaged.
    private static var maximumWaiting: Int { 64 }

    private let frameDuration: Int64
    private var waiting: [Waiting] = []
    /// When the pictures were decoded that as many have not been shown for yet.
    private var instants: [Int64] = []
    private var unplaced = 0
    private var (sequence, highest) = (0, Int.min)
    private var expected: Int64 = 0

    /// Begins at any picture that decoding can begin with.
    ///
    /// - Parameter frameDuration: how long a picture is shown that does not tell; positive.
    package init(frameDuration: Int64) { self.frameDuration = min(max(1, frameDuration), 1 << 31) }

    /// Takes the next picture in decoding order.
    ///
    /// - Parameters:
    ///   - number: the picture order count; begins anew at some of the sync pictures.
    ///   - decoding: nil where the medium does not tell that either.
    package mutating func append(_ picture: Picture, number: Int, isSync: Bool, decoding: Int64?, duration: Int64) {
        if isSync, number <= highest { (sequence, highest) = (sequence + 1, number) }
        highest = max(highest, number)
        let known = (1...1 << 31).contains(duration) ? duration : 0
        let instant = max(-(1 << 61), min(1 << 61, decoding ?? expected))
        expected = instant + (known > 0 ? known : frameDuration)
        waiting.append(
            Waiting(picture: picture, decoding: instant, duration: known, sequence: sequence, number: number))
        instants.append(instant)
        unplaced += 1
        if unplaced > Self.depth { placeFirst() }
        if waiting.count > Self.maximumWaiting { place(0) }
    }

    /// Nothing follows.
    package mutating func finish() { while unplaced > 0 { placeFirst() } }

    /// The next picture in decoding order whose times are known.
    package mutating func popFirst() -> Placed? {
        guard let first = waiting.first, let presentation = first.presentation else { return nil }
        waiting.removeFirst()
        return Placed(
            picture: first.picture, presentation: presentation, decoding: first.decoding, duration: first.duration)
    }

    /// Places the one that is shown first of those that have no time.
    private mutating func placeFirst() {
        let candidates = waiting.indices.filter { waiting[$0].presentation == nil }
        let first = candidates.min {
            (waiting[$0].sequence, waiting[$0].number) < (waiting[$1].sequence, waiting[$1].number)
        }
        if let first { place(first) } else { unplaced = 0 }
    }

    private mutating func place(_ index: Int) {
        guard waiting[index].presentation == nil, !instants.isEmpty else { return }
        waiting[index].presentation = instants.removeFirst()
        unplaced -= 1
    }
}
