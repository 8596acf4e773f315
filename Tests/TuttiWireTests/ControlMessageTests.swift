import Testing
import TuttiCore
import TuttiSchema
import TuttiWire

@Suite struct ControlMessageTests {
    static func examples() throws -> [ControlMessage] {
        let timescale = TimescaleID(rawValue: 0x00AB_CDEF_0123_4567)
        let time = try #require(MediaTime(value: 441_001, timescale: 44_100))
        let range = TimeRange(start: .zero, end: time)
        let flac = try #require(
            AudioFormat(
                codec: .flac, sampleRate: 44_100, channelCount: 2, bitDepth: 24,
                magicCookie: [UInt8](0..<34)))
        let pcm = try #require(AudioFormat(codec: .pcm, sampleRate: 192_000, channelCount: 8, bitDepth: 32))
        var status = SpeakerStatus(state: .lostDevice, position: time)
        status.loaded = try #require(LoadedRanges(seconds: [[0, 10], [12.5, 300]]))
        status.volume = 33.5
        status.isMuted = true
        status.isAnnouncing = true
        (status.name, status.maxVolume, status.isVolumeFixed) = ("Küche", 60, true)
        status.outputDelayMs = -2.5
        status.stalls = 3
        status.xruns = 4
        status.syncErrorUs = -3.25
        status.syncErrorP99Us = 9
        status.clockOffsetSigmaUs = 0.5
        status.clockDriftPpm = -20
        status.clockDriftSigmaPpm = 0.01
        status.dacPpm = 80
        status.dacSigmaPpm = 0.5
        status.rttUs = 210
        status.stamps = .kernel
        (status.forwardStamps, status.returnStamps) = (.hardware, .user)
        status.systemClock = SystemClockStatus(
            used: false, reason: "it disagrees", synchronised: true, maxErrorUs: 120, estimatedErrorUs: 3, offsetUs: -5,
            offsetSigmaUs: 0.5)
        status.codec = "flac"
        status.format = "48000:24:2"
        status.likelyToKeepUp = true
        status.bufferedBytes = 12_345_678
        status.device = "hw:0 “Küche”"
        status.message = "the device is gone"
        var welcome = Welcome(
            id: "k1", name: "Küche", session: "00112233", bufferSeconds: 300, bufferBytes: 1 << 26,
            codecs: ["flac", "opus", "pcm"], device: "default", deviceFormat: "48000:16:2", clockPort: 7700)
        let plain = ControlMessage.welcome(welcome)
        welcome.clockPort = nil
        welcome.generation = 7
        welcome.claimant = Welcome.Claimant(id: "2a22", name: "desk")
        welcome.loaded = [range]
        welcome.timebase = TimebaseCommand(
            rate: 1, media: time, group: GroupTime(nanoseconds: -5, timescale: timescale))
        welcome.end = time
        let fit = ReferenceFit(
            group: GroupTime(nanoseconds: 1 << 60, timescale: timescale), offset: -9_999_999_999_999, slope: 0)
        welcome.reference = fit
        welcome.features = ["reference", "dance"]
        status.isBitPerfect = false
        status.bitPerfectReason = "the volume is not 100"
        return [
            .hello(Hello(role: .control, senderID: "s", senderName: "desk", stream: 9)),
            .hello(Hello(role: .control, senderID: "s", senderName: "desk", stream: 9, isClaim: true)),
            .hello(Hello(role: .media, senderID: "s", senderName: "", session: "0011")),
            .hello(
                Hello(
                    role: .look, senderID: "look", senderName: "",
                    clock: ClockAnnouncement(
                        timescale: TimescaleID(rawValue: 7), origin: "desk", leaderPort: 7_700,
                        standIns: [.init(id: "a", host: "10.0.0.7", port: 7_701)]))),
            .clock(
                ClockAnnouncement(
                    timescale: timescale, origin: "s", leaderID: "a", leaderHost: "fe80::1%eth0", leaderPort: 9,
                    senderPort: 1,
                    standIns: [.init(id: "b", host: "10.0.0.7", port: 7700), .init(id: "c", host: "::2", port: 1)])),
            .clock(ClockAnnouncement(timescale: timescale, origin: "", leaderPort: 65_535)),
            .format(id: 65_535, flac), .format(id: 0, pcm),
            .timebase(
                TimebaseCommand(rate: 1, media: time, group: GroupTime(nanoseconds: -(1 << 61), timescale: timescale))),
            .timebase(
                TimebaseCommand(
                    rate: 0, media: -time, group: GroupTime(nanoseconds: 9_007_199_254_740_993, timescale: timescale))),
            .flush(generation: .max, from: time), .flush(generation: 1, from: nil),
            .volume(VolumeCommand(percent: 62.5, isMuted: true, rampMs: 10)), .outputDelay(milliseconds: 12.3),
            .name("Küche"),
            .reference(ReferenceCommand(fit: fit, isReference: true)), .cardFit(fit),
            .reference(ReferenceCommand(fit: nil, isReference: false)),
            .end(media: time), .ping, .goodbye(reason: "done"), plain, .welcome(welcome),
            .credit(Credit(bytes: UInt64(Int64.max), horizon: time)), .credit(Credit(bytes: 0, horizon: nil)),
            .status(status), .status(SpeakerStatus(state: .idle)), .flushed(generation: 4, loaded: [range]),
            .event(kind: "xrun", message: "the device ran dry"), .failure(code: "busy", message: "no"),
            .unsupported(type: "dance"),
        ]
    }

    @Test func everyMessageSurvivesTheWay() throws {
        for message in try Self.examples() {
            let body = message.encodedBody()
            #expect(try ControlMessage(parsing: body) == message, "\(String(decoding: body, as: UTF8.self))")
        }
    }

    @Test func unknownFieldsAreIgnoredAndUnknownTypesNamed() throws {
        let known = Array(#"{"type":"end","media":[5,1],"colour":{"deep":[1,2,{"er":null}]}}"#.utf8)
        #expect(try ControlMessage(parsing: known) == .end(media: MediaTime(frame: 5, sampleRate: 1)))
        #expect(try ControlMessage(parsing: Array(#"{"type":"dance"}"#.utf8)) == .unknown(type: "dance"))
    }

    @Test(arguments: [
        "", "{", "null", "[]", "17", #"{"type":7}"#, "{}", #"{"type":"end"}"#, #"{"type":"end","media":[1]}"#,
        #"{"type":"end","media":[1,0]}"#, #"{"type":"end","media":[1,-5]}"#, #"{"type":"end","media":[1,4294967296]}"#,
        #"{"type":"end","media":[9223372036854775807,1]}"#, #"{"type":"end","media":[1e400,1]}"#,
        #"{"type":"timebase","rate":2,"media":[0,1],"group":1,"timescale":"0000000000000001"}"#,
        #"{"type":"timebase","rate":0.5,"media":[0,1],"group":1,"timescale":"0000000000000001"}"#,
        #"{"type":"timebase","rate":1,"media":[0,1],"group":9223372036854775808,"timescale":"0000000000000001"}"#,
        #"{"type":"timebase","rate":1,"media":[0,1],"group":9223372036854775807,"timescale":"0000000000000001"}"#,
        #"{"type":"timebase","rate":1,"media":[0,1],"group":2305843009213693953,"timescale":"0000000000000001"}"#,
        #"{"type":"timebase","rate":1,"media":[0,1],"group":-2305843009213693953,"timescale":"0000000000000001"}"#,
        #"{"type":"timebase","rate":1,"media":[0,1],"group":1,"timescale":"0000000000000000"}"#,
        #"{"type":"timebase","rate":1,"media":[0,1],"group":1,"timescale":"+000000000000001"}"#,
        #"{"type":"volume","percent":101}"#, #"{"type":"volume","percent":-0.1}"#,
        #"{"type":"volume","percent":"50"}"#, #"{"type":"volume","percent":50,"rampMs":1e9}"#,
        #"{"type":"name","name":""}"#, #"{"type":"name"}"#, #"{"type":"outputDelay","ms":99999}"#,
        #"{"type":"flush","generation":-1}"#,
        #"{"type":"flush","generation":4294967296}"#,
        #"{"type":"format","id":1,"codec":"flac","sampleRate":7999,"channels":2,"bits":16}"#,
        #"{"type":"format","id":1,"codec":"flac","sampleRate":48000,"channels":9,"bits":16}"#,
        #"{"type":"format","id":1,"codec":"mystery","sampleRate":48000,"channels":2,"bits":16}"#,
        #"{"type":"format","id":1,"codec":"flac","sampleRate":48000,"channels":2,"bits":16,"magicCookie":"?"}"#,
        #"{"type":"format","id":65536,"codec":"flac","sampleRate":48000,"channels":2,"bits":16}"#,
        #"{"type":"clock","timescale":"0000000000000001","leaderPort":0}"#,
        #"{"type":"clock","timescale":"0000000000000001","leaderPort":9,"senderPort":65536}"#,
        #"{"type":"hello","role":"dancer","version":1,"senderID":"x"}"#,
        #"{"type":"hello","role":"control","version":1,"senderID":""}"#,
        #"{"type":"flushed","generation":1,"loaded":[[5,1,4,1]]}"#, #"{"type":"status","state":"happy"}"#,
        #"{"type":"cardFit"}"#,
        #"{"type":"cardFit","timescale":"0000000000000001","group":1,"offset":0,"ppm":1000.1}"#,
        #"{"type":"cardFit","timescale":"0000000000000001","group":1,"offset":0,"ppm":1e999}"#,
        #"{"type":"cardFit","timescale":"0000000000000001","group":1,"offset":10000000000001,"ppm":0}"#,
        #"{"type":"cardFit","timescale":"0000000000000001","group":2305843009213693953,"offset":0,"ppm":0}"#,
        #"{"type":"reference","timescale":"0000000000000000","group":1,"offset":0,"ppm":0}"#,
        #"{"type":"reference","timescale":"0000000000000001","group":1,"offset":0.5,"ppm":0}"#,
        #"{"type":"reference","timescale":"0000000000000001","group":1,"offset":0}"#,
        #"{"type":"reference","isReference":"yes"}"#,
        #"{"type":"status","state":"idle","loaded":[[1]]}"#, #"{"type":"status","state":"idle","loaded":[[2,1]]}"#,
        #"{"type":"status","state":"idle","loaded":[[0,1e15]]}"#, #"{"type":"credit","bytes":-5}"#,
    ])
    func malformedMessagesThrow(_ text: String) {
        #expect(throws: WireError.self) { try ControlMessage(parsing: Array(text.utf8)) }
    }

    @Test func textsCannotSteerWhatShowsThem() throws {
        let text =
            #"{"type":"hello","role":"control","version":1,"senderID":"x","senderName":"a\nb\u001b[2Jc\u202ed Küche 🎻"}"#
        guard case .hello(let hello) = try ControlMessage(parsing: Array(text.utf8)) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.senderName == "ab[2Jcd Küche 🎻")
        #expect(throws: WireError.malformedMessage("'state' has the unknown value 'up[2J'")) {
            try ControlMessage(parsing: Array(#"{"type":"status","state":"up\u001b[2J\n"}"#.utf8))
        }
    }

    @Test func deepNestingAndLongTextThrow() {
        for (opening, closing) in [("[", ""), ("[", "]"), (#"{"a":"#, "")] {
            let nested =
                #"{"type":"ping","x":"# + String(repeating: opening, count: 10_000)
                + String(repeating: closing, count: 10_000) + "}"
            #expect(throws: WireError.self) { try ControlMessage(parsing: Array(nested.utf8)) }
        }
        let long = #"{"type":"goodbye","reason":""# + String(repeating: "x", count: 1025) + #""}"#
        #expect(throws: WireError.self) { try ControlMessage(parsing: Array(long.utf8)) }
    }

    @Test func overlongTextsAreCutToFit() throws {
        let name = String(repeating: "ü\u{1}", count: 5000)
        let codecs = [String](repeating: name, count: 100)
        let ranges = [TimeRange](
            repeating: TimeRange(start: .zero, end: MediaTime(frame: 7, sampleRate: 44_100)), count: 999)
        let welcome = Welcome(
            id: name, name: name, session: name, bufferSeconds: 1, bufferBytes: .max, codecs: codecs, device: name,
            deviceFormat: name, loaded: ranges)
        guard case .welcome(let read) = try ControlMessage(parsing: ControlMessage.welcome(welcome).encodedBody())
        else {
            Issue.record("not a welcome")
            return
        }
        #expect((128...256).contains(read.name.utf8.count) && read.name.allSatisfy { $0 == "ü" })
        #expect(read.loaded.count == 256)
    }

    @Test func figuresThatAreNoNumbersAreLeftOut() throws {
        var status = SpeakerStatus(state: .playing)
        status.syncErrorUs = .nan
        status.rttUs = .infinity
        guard case .status(let read) = try ControlMessage(parsing: ControlMessage.status(status).encodedBody()) else {
            Issue.record("not a status")
            return
        }
        #expect(read.syncErrorUs == nil && read.rttUs == nil)
    }

    @Test func mutatedMessagesNeverTrap() throws {
        var random = SplitMix64(seed: 4)
        let bodies = try Self.examples().map { $0.encodedBody() }
        var legal = 0
        for round in 0..<20_000 {
            var body = bodies[round % bodies.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty {
                let index = Int.random(in: 0..<body.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: body[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: body.remove(at: index)
                case 2: body.insert(UInt8.random(in: 0x2B...0x7D, using: &random), at: index)
                default: body[index] = UInt8.random(in: 0x30...0x39, using: &random)
                }
            }
            guard let message = try? ControlMessage(parsing: body) else { continue }
            legal += 1
            if case .unknown = message { continue }
            #expect(try ControlMessage(parsing: message.encodedBody()) == message)
        }
        #expect(legal > 1000)
    }

    @Test func aFrameOfManyFieldsIsRead() throws {
        let fields = (0..<5_000).map { ",\"k\($0)\":1" }.joined()
        #expect(try ControlMessage(parsing: Array("{\"type\":\"ping\"\(fields)}".utf8)) == .ping)
    }

    @Test func loudnessFollowsTheLaw() {
        #expect(VolumeCommand(percent: 100).amplitude == 1)
        #expect(VolumeCommand(percent: 0).amplitude == 0)
        #expect(abs(VolumeCommand(percent: 25).amplitude - 0.125) < 1e-12)
        #expect(VolumeCommand(percent: 80, isMuted: true).amplitude == 0)
    }
}
