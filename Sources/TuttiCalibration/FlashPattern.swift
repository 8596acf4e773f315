/// What a screen and a room play so that a recording of both tells how late the pictures are: flashes, and with each
/// a chirp that begins at the same instant.
///
/// The distances are uneven: the pattern fits a recording at one place only. They were searched so that, at 23.976, 24,
/// 25, 29.97, 30, 50, 59.94 and 60 pictures a second, the flashes' beginnings and ends fall evenly into all parts of a
/// picture's time. What a camera or a display rounds to its own pictures averages out.
package enum FlashPattern {
    /// Frames a second of `samples`.
    package static let sampleRate = 48_000
    /// Pixels from left to right and from top to bottom; a display stretches them.
    package static let (width, height) = (256, 144)

    /// Milliseconds at which the flashes begin. The first ones are late: rooms that have just met settle on the clock.
    private static let milliseconds = [
        2_000, 2_573, 3_354, 4_068, 4_581, 5_364, 6_091, 6_746, 7_477, 8_020, 8_593, 9_264, 10_006, 10_736, 11_351,
    ]
    /// Milliseconds that a flash lasts: five pictures of a film, and fewer than three flashes a second.
    private static let length = 225
    /// Milliseconds altogether: some for late pictures and echoes.
    private static let total = 13_000
    /// Full scale is 1: loud enough, and no loudspeaker is hurt.
    private static let amplitude = 0.25

    /// Seconds from the beginning to each flash, and to the chirp with it.
    package static let instants = milliseconds.map { Double($0) / 1_000 }
    /// Seconds that a flash lasts.
    package static let flashSeconds = Double(length) / 1_000
    /// Seconds altogether.
    package static let duration = Double(total) / 1_000

    /// The chirps, full scale at ±1.
    package static func samples() -> [Float] {
        var samples = [Float](repeating: 0, count: total * sampleRate / 1_000)
        let chirp = Chirp.samples(sampleRate: sampleRate).map { Float($0 * amplitude) }
        for start in milliseconds {
            let first = start * sampleRate / 1_000
            samples.replaceSubrange(first..<first + chirp.count, with: chirp)
        }
        return samples
    }

    /// The pictures in order, black at first, with milliseconds from the beginning and how long each is shown.
    static let pictures: [(start: Int, duration: Int, isWhite: Bool)] = {
        let edges = [0] + milliseconds.flatMap { [$0, $0 + length] } + [total]
        return zip(edges, edges.dropFirst()).enumerated().map { ($1.0, $1.1 - $1.0, $0 % 2 == 1) }
    }()
}
