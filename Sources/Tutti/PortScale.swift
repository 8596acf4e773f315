import TuttiCore

/// A port's time as it follows from media time while one rate holds: media time divided by the rate, from an origin on.
struct PortScale: Sendable, Equatable {
    /// Parts of a second that every usual sample rate divides.
    private static let units: Int32 = 28_224_000

    /// Seconds of media a second of the port's time.
    let rate: Double
    /// The port's time of media time 0, in seconds: whole ones, which keep frames what they are at every sample rate.
    let origin: Int64

    /// The port's time of a media time; at rate 1 exact, otherwise to some nanoseconds.
    func portTime(of media: MediaTime) -> MediaTime {
        if rate == 1 { return origin == 0 ? media : media + MediaTime(frame: origin, sampleRate: 1) }
        let scaled = (Double(media.value) / Double(media.timescale) / rate * Double(Self.units)).rounded()
        return MediaTime(frame: Int64(scaled), sampleRate: Int(Self.units)) + MediaTime(frame: origin, sampleRate: 1)
    }

    /// The port's line of a line of the programme; it runs at rate 1, or stands still.
    func portLine(of line: Timebase) -> Timebase {
        Timebase(rate: line.rate > 0 ? 1 : 0, mediaTime: portTime(of: line.mediaTime), groupTime: line.groupTime)
    }

    /// A buffer as it lies in the port's time at rate 1.
    func shifted(_ buffer: SampleBuffer) -> SampleBuffer {
        guard origin != 0 else { return buffer }
        return SampleBuffer(
            format: buffer.format, presentationTime: portTime(of: buffer.presentationTime),
            frameCount: buffer.frameCount, trimAtStart: buffer.trimAtStart, trimAtEnd: buffer.trimAtEnd,
            data: buffer.data, preroll: buffer.preroll) ?? buffer
    }

    /// The scale of another rate, all of which lies behind `time` of the port.
    func follower(rate: Double, behind time: MediaTime) -> PortScale {
        PortScale(rate: rate, origin: time.converted(to: 1, rounding: .up).value + 1)
    }
}
