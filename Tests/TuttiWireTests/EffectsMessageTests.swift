import Testing
import TuttiChain
import TuttiWire

@Suite struct EffectsMessageTests {
    private static let id = String(repeating: "0a", count: 32)

    private static func hello(_ effects: EffectsRequest?) -> ControlMessage {
        .hello(Hello(role: .look, senderID: "look", senderName: "", effects: effects))
    }

    @Test(
        arguments: [
            .show, .edit(.equalizer([EQBand(.peak, frequency: 62.5, gain: -5.1, q: 4)])), .edit(.equalizer([])),
            .edit(.convolution(Convolution(impulse: id))), .edit(.convolution(nil)),
            .edit(.convolution(Convolution(impulse: id, gain: -3, name: #"a "wide" hall.wav"#))),
            .edit(.channels(ChannelSelection(.sub, crossover: 70))),
            .edit(.chain(EffectChain([.gain(-3), .limiter(Limiter())]))), .edit(.chain(EffectChain())),
            .impulse(ImpulsePart(id: id, size: 90_000, offset: 45_000, data: [1, 2, 3, 255])),
        ] as [EffectsRequest])
    func requestsArriveAsTheyWereSent(request: EffectsRequest) throws {
        let frame = Self.hello(request).encodedFrame()
        #expect(try ControlMessage(parsing: Array(frame[5...])) == Self.hello(request))
    }

    @Test func whatSomebodyCallsAnImpulseResponseSteersNoTerminal() throws {
        var report = EffectsReport()
        report.chain = "convolve \(Self.id) name=a\u{1B}[2J\u{202E}b.wav\nlimit"
        let frame = ControlMessage.effects(report).encodedFrame()
        report.chain = "convolve \(Self.id) name=a[2Jb.wav\nlimit"
        #expect(try ControlMessage(parsing: Array(frame[5...])) == .effects(report))
    }

    @Test func theLargestPartFitsItsFrame() throws {
        let part = ImpulsePart(
            id: Self.id, size: ImpulsePart.maximumSize, offset: 1,
            data: [UInt8](repeating: 0xAA, count: ImpulsePart.maximumBytes))
        let frame = Self.hello(.impulse(part)).encodedFrame()
        #expect(frame.count <= WireLimits.controlBytes)
        #expect(try ControlMessage(parsing: Array(frame[5...])) == Self.hello(.impulse(part)))
    }

    /// A chain of any size as the limits allow it fits its frame, however much JSON makes of it.
    @Test func theLongestReportFitsItsFrame() throws {
        var report = EffectsReport()
        report.chain = String(repeating: "convolve \(Self.id)\n", count: 2_000)
        report.missing = [String](repeating: Self.id, count: 32)
        report.problem = String(repeating: "\u{7}", count: 2_000)
        let frame = ControlMessage.effects(report).encodedFrame()
        #expect(frame.count <= WireLimits.controlBytes)
    }

    @Test func reportsArriveAsTheyWereSent() throws {
        var report = EffectsReport()
        report.chain = EffectChain([.gain(-3), .limiter(Limiter())]).description
        (report.latencyMs, report.load, report.missing, report.problem) = (42.6, 0.004, [Self.id], "no")
        let frame = ControlMessage.effects(report).encodedFrame()
        #expect(try ControlMessage(parsing: Array(frame[5...])) == .effects(report))
    }

    @Test(
        arguments: [
            #""effects":"nonsense""#, #""effects":"eq""#, #""effects":"eq","setting":"peak""#,
            #""effects":"eq","setting":"peak 1e999 3 1""#, #""effects":"convolve","setting":"../../etc/shadow""#,
            #""effects":"chain","setting":"gain -3\nconvolve x.wav""#, #""effects":"channels","setting":"all""#,
            #""effects":"impulse","impulse":"short","size":3,"offset":0,"data":"AAAA""#,
            #""effects":"impulse","impulse":"\#(id)","size":0,"offset":0,"data":"AAAA""#,
            #""effects":"impulse","impulse":"\#(id)","size":3,"offset":-1,"data":"AAAA""#,
            #""effects":"impulse","impulse":"\#(id)","size":3,"offset":0,"data":"?""#,
        ])
    func whatCannotBeMeantIsRefused(fields: String) {
        let body = #"{"type":"hello","role":"look","version":1,"senderID":"look",\#(fields)}"#
        #expect(throws: WireError.self) { try ControlMessage(parsing: Array(body.utf8)) }
    }
}
