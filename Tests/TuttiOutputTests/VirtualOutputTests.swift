import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiOutput

@Suite(.repeatedWhenDisturbed) struct VirtualOutputTests {
    @Test func positionFollowsTheClockAndItsError() throws {
        let time = ManualTime()
        let card = try makeCard("null?rate=48000&period=480&buffer=48000&ppm=100", time: time)
        try card.start()
        // 0.5 s at 48 kHz and 100 ppm are 24 002.4 frames.
        time.pass(nanoseconds: 500_000_000)
        let timing = try #require(card.timing())
        #expect(timing.playedFrames == 24_002)
        #expect(timing.queuedFrames == 48_000 - 24_002 && timing.writableFrames == 24_002)
        #expect(timing.hostTime.nanoseconds == time.now() && timing.generation == 1)
    }

    @Test func waitsForRoomForOnePeriod() throws {
        let time = ManualTime()
        let card = try makeCard("null?rate=48000&period=480&buffer=1920", time: time)
        try card.start()
        let start = time.now()
        #expect(card.wait(timeoutNanoseconds: 5_000_000) == .timeout)
        #expect(time.now() == start + 5_000_000)
        #expect(card.wait(timeoutNanoseconds: 50_000_000) == .writable)
        #expect(time.now() == start + 10_000_000)
        #expect(card.write(frames: 480) == 480)
        #expect(card.write(frames: 480) == 0)
    }

    @Test func keepsPaceOverManyPeriods() throws {
        let time = ManualTime()
        let card = try makeCard("null?rate=44100&period=441&buffer=1764&ppm=-200", time: time)
        try card.start()
        let start = time.now()
        for _ in 0..<10_000 {
            #expect(card.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
            #expect(card.write(frames: 441) == 441)
        }
        // 100 s by a clock that is 200 ppm slow, to within a frame.
        #expect(abs(time.now() - start - 100_020_004_000) < 30_000)
    }

    @Test func runsDryWhenStarvedAndRecovers() throws {
        let time = ManualTime()
        let card = try makeCard("null?rate=48000&period=480&buffer=1920", time: time)
        try card.start()
        time.pass(nanoseconds: 39_999_000)
        #expect(card.timing()?.playedFrames == 1919)
        time.pass(nanoseconds: 2_000)
        #expect(card.timing() == nil)
        #expect(card.wait(timeoutNanoseconds: 0) == .xrun)
        #expect(card.write(frames: 10) == OutputWait.xrun.rawValue)
        try card.recover(silence: 480)
        #expect(card.timing()?.playedFrames == 0 && card.timing()?.generation == 2)
        // On 10 ms of silence instead of a buffer full of it: there is room at once.
        #expect(card.timing()?.queuedFrames == 480)
        #expect(card.wait(timeoutNanoseconds: 0) == .writable)
    }

    @Test func beforeTheStartNothingRuns() throws {
        let card = try makeCard("null", time: ManualTime())
        #expect(card.timing() == nil && card.wait(timeoutNanoseconds: 0) == .xrun)
        #expect(card.write(frames: 1) == OutputWait.xrun.rawValue)
    }

    @Test func takesNoMoreThanTheBytesHold() throws {
        let time = ManualTime()
        let card = try makeCard("null?buffer=1920&period=480", time: time)
        try card.start()
        time.pass(nanoseconds: 10_000_000)
        #expect([UInt8](repeating: 0, count: 43).withUnsafeBytes { card.write($0, frames: 400) } == 10)
        #expect([UInt8]().withUnsafeBytes { card.write($0, frames: 400) } == 0)
        #expect([UInt8](repeating: 0, count: 4).withUnsafeBytes { card.write($0, frames: -5) } == 0)
    }

    @Test func realTimePassesToo() throws {
        let device = try OutputDevices.open(OutputRequest(device: "null?period=480&buffer=4800"), clock: HostClock())
        try device.start()
        let start = HostClock.rawNow()
        #expect(device.wait(timeoutNanoseconds: 1_000_000_000) == .writable)
        #expect(HostClock.rawNow() - start >= 9_900_000)
        device.close()
    }
}

@Suite struct VirtualSpecificationTests {
    @Test func hintsAreFollowedWhereTheNameSaysNothing() throws {
        let specification = try #require(try VirtualSpecification(parsing: "null"))
        let wishes = OutputRequest(device: "null", preferredSampleRate: 44_100, preferredBitDepth: 24)
        let parameters = specification.parameters(for: wishes)
        #expect(parameters.sampleRate == 44_100 && parameters.sampleType == .int24)
        #expect(parameters.periodFrames == 441 && parameters.bufferFrames == 2205 && parameters.kind == .virtual)
    }

    @Test func theNameWins() throws {
        let specification = try #require(
            try VirtualSpecification(parsing: "file:/a?b.wav?rate=96000&bits=32f&ppm=-60.5&period=96&buffer=960"))
        #expect(specification.path == "/a?b.wav" && specification.ppm == -60.5)
        let parameters = specification.parameters(for: OutputRequest(device: "x"))
        #expect(parameters.sampleRate == 96_000 && parameters.sampleType == .float32)
        #expect(parameters.periodFrames == 96 && parameters.bufferFrames == 960)
    }

    @Test(arguments: [
        "file:", "null?rate=1", "null?rate=x", "null?bits=8", "null?ppm=nan", "null?ppm=1e9", "null?period=1",
        "null?buffer=99999999999999999999", "null?speed=2", "null?rate=", "null?period=480&buffer=500",
    ])
    func nonsenseIsRefused(device: String) {
        #expect(throws: OutputError.self) { try VirtualSpecification(parsing: device) }
    }

    @Test func otherNamesAreNotVirtual() throws {
        #expect(try VirtualSpecification(parsing: "default") == nil)
        #expect(try VirtualSpecification(parsing: "hw:0,0") == nil)
    }

    @Test func absurdHintsAreClamped() throws {
        let specification = try #require(try VirtualSpecification(parsing: "null"))
        let absurd = OutputRequest(
            device: "null", preferredSampleRate: .max, preferredBitDepth: .min, preferredIOBufferDuration: .max,
            bufferDuration: .min)
        let parameters = specification.parameters(for: absurd)
        #expect(parameters.sampleRate == 192_000 && parameters.bufferFrames >= 2 * parameters.periodFrames)
    }
}
