import Testing
import TuttiAssets
import TuttiCore

@Suite("A film's pictures become those of its span")
struct SpanPicturesTests {
    private let format: VideoFormat
    private let blank: VideoSampleBuffer

    init() throws {
        format = try #require(VideoFormat(codec: .h264, width: 16, height: 16))
        blank = try #require(StillPicture.blank?.buffer(at: .zero, duration: nil))
    }

    private static func frames(_ count: Int64) -> MediaTime { MediaTime(frame: count, sampleRate: 25) }

    private func picture(_ frame: Int64, isSync: Bool = false, frames: Int64 = 1) throws -> VideoSampleBuffer {
        try #require(
            VideoSampleBuffer(
                format: format, presentationTime: Self.frames(frame), duration: Self.frames(frames), isSync: isSync,
                data: [UInt8(truncatingIfNeeded: frame)]))
    }

    private func span(start: Int64 = 0, offset: Int64 = 0, end: Int64? = nil) -> PictureSpan {
        PictureSpan(
            serial: 1, input: AssetInput(uri: "film"), start: Self.frames(start), offset: Self.frames(offset),
            end: end.map { Self.frames($0) })
    }

    /// What comes of a film whose pictures have these times in frames, the first one and `syncs` being sync pictures.
    private func shown(
        _ film: [Int64], of span: PictureSpan, from: Int64 = 0, syncs: Set<Int> = [0]
    ) throws -> [VideoSampleBuffer] {
        var pictures = SpanPictures(span, from: Self.frames(from))
        var given: [VideoSampleBuffer] = []
        for (index, frame) in film.enumerated() where !pictures.isFinished {
            pictures.append(try picture(frame, isSync: syncs.contains(index))) {
                StillPicture.blank?.buffer(at: $0, duration: $1)
            }
            while let next = pictures.popFirst() { given.append(next) }
        }
        pictures.finish()
        while let next = pictures.popFirst() { given.append(next) }
        return given
    }

    private func times(_ buffers: [VideoSampleBuffer]) -> [Int64] { buffers.map { $0.presentationTime.frame(at: 25) } }

    @Test("at the place of the track, until the last one that begins before its end")
    func ends() throws {
        #expect(times(try shown([0, 1, 2, 3], of: span(start: 100, end: 103))) == [100, 101, 102])
        // The one at the end is what those before it refer to, and is put there.
        #expect(times(try shown([0, 4, 1, 2, 3, 8, 5, 6, 7], of: span(start: 100, end: 103))) == [100, 103, 101, 102])
        #expect(times(try shown([0, 8, 4, 2, 6, 12, 10], of: span(end: 3))) == [0, 3, 3, 2])
        #expect(try shown([0, 1], of: span(start: 100, end: 100)).isEmpty)
        // One that straddles the end is as long as it is.
        let film = try shown([0, 1, 2, 3], of: span(end: 2)).map(\.duration)
        #expect(film == [1, 1].map { Self.frames($0) })
    }

    @Test("no more is read once the end is passed by more than pictures are reordered")
    func stops() throws {
        var pictures = SpanPictures(span(end: 10), from: .zero)
        var read: Int64 = 0
        while true {
            if pictures.popFirst() != nil { continue }
            guard pictures.wantsMore else { break }
            pictures.append(try picture(read, isSync: read == 0)) { _, _ in nil }
            read += 1
        }
        #expect(pictures.isFinished && read == 27)
    }

    @Test("the last one that is shown stays until the end, whichever comes last")
    func stays() throws {
        let known = try shown([0, 3, 1, 2], of: span(start: 10, end: 100))
        #expect(known.map(\.duration) == [1, 87, 1, 1].map { Self.frames($0) })
        let unknown = try shown([0, 1], of: span())
        #expect(unknown.map(\.duration) == [Self.frames(1), VideoSampleBuffer.maximumDuration])
    }

    @Test("those before the start are put there, and those before the timeline's beginning at zero")
    func before() throws {
        let film = try shown([0, 4, 2, 1, 3, 5], of: span(start: 100, offset: 3))
        #expect(times(film) == [100, 101, 100, 100, 100, 102])
        #expect(times(try shown([0, 1, 2, 3], of: span(start: -2))) == [0, 0, 0, 1])
        let rest = try shown([0, 1, 2, 3], of: span(start: 0, offset: 1))
        // What is before the start has no length there.
        #expect(rest.map(\.duration).prefix(3) == [nil, Self.frames(1), Self.frames(1)])
    }

    @Test("those that refer to pictures before the first one are left out")
    func leading() throws {
        #expect(times(try shown([10, 8, 9, 11], of: span(), from: 10)) == [10, 11])
        // What is no sync picture cannot be decoded at first.
        #expect(times(try shown([1, 2, 3, 4], of: span(), from: 5, syncs: [2])) == [3, 4])
    }

    @Test("a blank one comes before a film that begins late, but not for a moment")
    func late() throws {
        let film = try shown([5, 6], of: span(start: 100, end: 110))
        #expect(times(film) == [100, 105, 106] && film[0].format == blank.format && film[0].isSync)
        #expect(film.map(\.duration) == [5, 1, 4].map { Self.frames($0) })
        let inside = try shown([5, 6], of: span(start: 100, end: 110), from: 104)
        #expect(inside == film)
        #expect(times(try shown([5, 6], of: span(start: 100), from: 105)) == [105, 106])
        let soon = try shown([2, 3], of: span(start: 100))
        #expect(times(soon) == [100, 103] && soon[0].duration == Self.frames(3))
    }

    @Test("whatever times and rates are, none is negative or endless", arguments: [0.000_1, 1, 1.5, 1e9])
    func extremes(_ rate: Double) throws {
        let far = MediaTime(frame: .max, sampleRate: 1)
        for start in [MediaTime.lowest, .zero, far] {
            for offset in [MediaTime.zero, far] {
                let span = PictureSpan(
                    serial: 1, input: AssetInput(uri: "film"), start: start, offset: offset, rate: rate, end: far)
                for buffer in try shown([0, .max, 3, 1, 2], of: span, from: .max, syncs: [0, 2]) {
                    #expect(buffer.presentationTime >= .zero)
                    #expect(buffer.duration.map { $0.isPositive && $0 <= VideoSampleBuffer.maximumDuration } ?? true)
                }
            }
        }
    }
}
