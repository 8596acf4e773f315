import Testing
import TuttiCore

@Suite("Formats, buffers and clock readings")
struct BufferTests {
    @Test("formats outside the limits do not exist")
    func formatLimits() {
        #expect(AudioFormat(codec: .pcm, sampleRate: 7_999, channelCount: 2, bitDepth: 16) == nil)
        #expect(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 9, bitDepth: 16) == nil)
        #expect(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 33) == nil)
        let cookie = [UInt8](repeating: 0, count: AudioFormat.Limits.magicCookieBytes + 1)
        #expect(
            AudioFormat(codec: .aac, sampleRate: 48_000, channelCount: 2, bitDepth: 16, magicCookie: cookie) == nil)
        let format = AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 24)
        #expect(format?.description == "48000:24:2")
        #expect(format?.bytesPerFrame == 6)
    }

    @Test("a buffer's counts must agree with its data and with each other")
    func bufferCounts() throws {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        let data = [UInt8](repeating: 0, count: 40)
        #expect(SampleBuffer(format: format, presentationTime: .zero, frameCount: 9, data: data) == nil)
        #expect(SampleBuffer(format: format, presentationTime: .zero, frameCount: -1, data: []) == nil)
        #expect(
            SampleBuffer(
                format: format, presentationTime: .zero, frameCount: 10, trimAtStart: 6, trimAtEnd: 5, data: data)
                == nil)
        let buffer = try #require(
            SampleBuffer(
                format: format, presentationTime: .zero, frameCount: 10, trimAtStart: 1, trimAtEnd: 3, data: data))
        #expect(buffer.audibleFrameCount == 6)
        #expect(buffer.timeRange.end == MediaTime(frame: 6, sampleRate: 48_000))
    }

    @Test("host and group times clamp at the ends of their range")
    func clocks() {
        let (last, first) = (HostTime(nanoseconds: .max), HostTime(nanoseconds: .min))
        #expect(last.nanoseconds == HostTime.maximumNanoseconds && first.nanoseconds == -HostTime.maximumNanoseconds)
        for step in [0, 1, .max, .min] as [Int64] {
            #expect((first...last).contains(last.advanced(byNanoseconds: step)))
            #expect((first...last).contains(first.advanced(byNanoseconds: step)))
        }
        #expect(HostTime(nanoseconds: 7).nanoseconds(since: HostTime(nanoseconds: 10)) == -3)
        let clock = TimescaleID(rawValue: 7)
        let end = GroupTime(nanoseconds: .max, timescale: clock)
        #expect(end.advanced(byNanoseconds: 1) == end && end.advanced(byNanoseconds: .max) == end)
    }

    @Test("no difference of two times overflows")
    func differences() {
        let clock = TimescaleID(rawValue: 7)
        let edges: [Int64] = [.min, .min + 1, -(1 << 61), -1, 0, 1, 1 << 61, 1 << 62, .max - 1, .max]
        for first in edges {
            for second in edges {
                let times = (
                    GroupTime(nanoseconds: first, timescale: clock), GroupTime(nanoseconds: second, timescale: clock)
                )
                #expect(times.0.nanoseconds(since: times.1) == -times.1.nanoseconds(since: times.0))
                // What a caller does who has not heard of the function.
                #expect((times.0.nanoseconds - times.1.nanoseconds > 0) == (times.0.nanoseconds > times.1.nanoseconds))
                let hosts = (HostTime(nanoseconds: first), HostTime(nanoseconds: second))
                #expect((hosts.0.nanoseconds(since: hosts.1) > 0) == (hosts.0 > hosts.1))
            }
        }
    }
}
