import Foundation
import Testing
import TuttiCore
import TuttiHost
import TuttiOutput

@Suite struct ALSAOutputTests {
    @Test(arguments: ["hw:31,0", "no-such-pcm", "plug:no-such-slave"])
    func aMissingDeviceIsNamedInOneLine(device: String) {
        let error = #expect(throws: OutputError.self) {
            try OutputDevices.open(OutputRequest(device: device), clock: HostClock())
        }
        #expect(error?.isMissing == true)
        #expect(error?.description.hasPrefix("cannot open audio device \"\(device)\": ") == true)
        #expect(error?.description.contains("\n") == false)
    }

    @Test(arguments: [
        ("hw:31,0", true), ("plughw:CARD=Amplifier,DEV=0", true), ("default", true), ("null", true),
        ("file:a.wav", true),
        ("no-such-pcm", false), ("hv:0", false), ("null?ppm=x", false), ("", false),
    ])
    func aNameMeansADeviceWithOrWithoutItsCard(name: String, isDefined: Bool) {
        #expect(OutputDevices.isDefined(name) == isDefined)
    }

    @Test(arguments: [(16, SampleLayout.int16), (24, .int32)])
    func plugOverNullGivesWhatIsAsked(depth: Int, type: SampleLayout) throws {
        let request = OutputRequest(device: "plug:null", preferredSampleRate: 44_100, preferredBitDepth: depth)
        let device = try OutputDevices.open(request, clock: HostClock())
        #expect(device.actual.sampleRate == 44_100 && device.actual.sampleType == type)
        #expect(device.actual.channelCount == 2 && device.actual.kind == .virtual)
        #expect((220...882).contains(device.actual.periodFrames))
        #expect(device.actual.bufferFrames >= 2 * device.actual.periodFrames)
        try device.start()
        #expect(device.wait(timeoutNanoseconds: 100_000_000) == .writable)
        #expect(device.write(frames: 100) == 100)
        let before = HostClock().now()
        let timing = try #require(device.timing())
        #expect(timing.hostTime >= before.advanced(byNanoseconds: -100_000_000) && timing.hostTime <= HostClock().now())
        #expect(timing.playedFrames + timing.queuedFrames == Int64(device.actual.bufferFrames) + 100)
        try device.recover(silence: 480)
        #expect(device.timing()?.generation == 2)
        device.close()
    }

    @Test func theFilePluginGetsTheFrames() throws {
        try withTemporaryDirectory { directory in
            let device = try OutputDevices.open(
                OutputRequest(device: "tee:null,'\(directory)/out.raw',raw", preferredBitDepth: 16), clock: HostClock())
            try device.start()
            #expect(device.write(value: 5, frames: 1000) == 1000)
            let frameBytes = device.actual.bytesPerFrame
            let primed = device.actual.bufferFrames
            device.close()
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory + "/out.raw")))
            #expect(bytes.count == (primed + 1000) * frameBytes)
            #expect(bytes.suffix(1000 * frameBytes).allSatisfy { $0 == 5 })
            #expect(bytes.prefix(primed * frameBytes).allSatisfy { $0 == 0 })
        }
    }

    @Test func sampleTypesAreTriedBestFirst() {
        #expect(ALSANegotiation.preferences(bitDepth: 16).first == .int16)
        #expect(ALSANegotiation.preferences(bitDepth: 24).prefix(3) == [.int32, .int24, .int24in32])
        #expect(Set(ALSANegotiation.preferences(bitDepth: 8)) == Set(SampleLayout.allCases))
        #expect(Set(ALSANegotiation.preferences(bitDepth: 32)) == Set(SampleLayout.allCases))
    }

    @Test func driversTellTheSortOfCard() {
        #expect(ALSANegotiation.kind(ofDriver: "USB-Audio") == .usb)
        #expect(ALSANegotiation.kind(ofDriver: "HDA-Intel") == .hda)
        #expect(ALSANegotiation.kind(ofDriver: "bcm2835_headpho") == .unknown)
    }

    @Test func theListNamesVirtualDevicesOnce() {
        let names = OutputDevices.list().map(\.name)
        #expect(names.contains("null") && names.contains("file:PATH.wav"))
        #expect(names.filter { $0 == "null" }.count == 1)
    }
}

@Suite struct ALSAStampsTests {
    private let clock = HostClock()

    @Test func aRawStampIsTheTime() {
        let stamps = ALSAStamps(clock: clock, kind: .raw)
        let (time, isDriverStamp) = stamps.hostTime(
            of: 5_000_000_007, before: 5_000_000_100, after: 5_000_000_200)
        #expect(time.nanoseconds == 5_000_000_007 && isDriverStamp)
    }

    @Test(arguments: [0, 4_000_000_000, 6_000_000_000])
    func aStampThatCannotBeTrueGivesWayToTheQuestion(stamp: Int64) {
        let stamps = ALSAStamps(clock: clock, kind: .raw)
        let (time, isDriverStamp) = stamps.hostTime(of: stamp, before: 5_000_000_100, after: 5_000_000_200)
        #expect(time.nanoseconds == 5_000_000_150 && !isDriverStamp)
    }

    @Test func stampsOfAnotherClockAreConverted() {
        let stamps = ALSAStamps(clock: clock, kind: .other(1))
        let before = HostClock.rawNow()
        // CLOCK_MONOTONIC, which systemUptime is.
        let stamp = Int64(ProcessInfo.processInfo.systemUptime * 1e9)
        let after = HostClock.rawNow()
        let (time, isDriverStamp) = stamps.hostTime(of: stamp, before: before, after: after)
        #expect(isDriverStamp && time.nanoseconds >= before - 5000 && time.nanoseconds <= after + 5000)
    }
}
