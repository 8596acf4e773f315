import Testing
import TuttiCalibration

@Suite struct OutputDelayTests {
    @Test(arguments: [
        ("35", 350), ("0.1", 1), ("-2.5", -25), ("+12,5", 125), ("100 ms", 1_000), ("0", 0), ("5000", 50_000),
        ("23.44", 234), ("1.", 10),
    ])
    func readsMilliseconds(text: String, tenths: Int) {
        #expect(OutputDelay(parsing: text)?.tenths == tenths)
    }

    @Test(arguments: ["", "ms", "5001", "-5000.1", "1e2", "nan", "inf", "1 s", "--1", "kitchen", "0x10", "1.2.3"])
    func refusesAnythingElse(text: String) { #expect(OutputDelay(parsing: text) == nil) }

    @Test func saysWhatItMeans() {
        #expect(
            OutputDelay(tenths: 1_000).effect(on: "kitchen")
                == "kitchen: output delay 100 ms (plays 100 ms earlier)")
        #expect(
            OutputDelay(tenths: -5).effect(on: "bath")
                == "bath: output delay -0.5 ms (plays 0.5 ms later)")
        #expect(OutputDelay(tenths: 0).effect(on: "bath") == "bath: output delay 0 ms (no correction)")
    }

    @Test func isHeldToItsRange() {
        #expect(OutputDelay(milliseconds: .nan).tenths == 0 && OutputDelay(milliseconds: .infinity).tenths == 0)
        #expect(OutputDelay(milliseconds: 1e300).tenths == 50_000)
        #expect(OutputDelay(tenths: 49_999).adding(tenths: .max).tenths == 50_000)
        #expect(OutputDelay(tenths: 0).adding(tenths: -3).description == "-0.3 ms")
        #expect(OutputDelay(milliseconds: 23.44).milliseconds == 23.4)
    }

    @Test(arguments: [
        ("+1", EarCommand.change(tenths: 10)), ("-0.1", .change(tenths: -1)), (" +10 ", .change(tenths: 100)),
        ("ok", .accept), ("", .accept), ("OK\r", .accept), ("quit", .quit), ("q", .quit),
    ])
    func readsLines(line: String, command: EarCommand) { #expect(EarCommand(line: line) == command) }

    @Test(arguments: ["1", "+", "+x", "later", "+1e9"])
    func refusesOtherLines(line: String) { #expect(EarCommand(line: line) == nil) }

    @Test func readsKeys() {
        var bytes = Array("\u{1B}[C\u{1B}[1;2Dx.,\u{1B}OA\u{1B}[B\u{1B}[3~\rq".utf8)
        var commands: [EarCommand] = []
        while let command = EarCommand.next(from: &bytes) { commands.append(command) }
        #expect(
            commands == [
                .change(tenths: 10), .change(tenths: -1), .change(tenths: 1), .change(tenths: -1),
                .change(tenths: 100), .change(tenths: -100), .accept, .quit,
            ])
        #expect(bytes.isEmpty)
    }

    @Test func waitsForTheRestOfAKey() {
        var bytes = Array("\u{1B}[".utf8)
        #expect(EarCommand.next(from: &bytes) == nil && bytes.count == 2)
        bytes.append(UInt8(ascii: "C"))
        #expect(EarCommand.next(from: &bytes) == .change(tenths: 10))
        bytes = [0x1B] + [UInt8](repeating: 0x5B, count: 2) + [UInt8](repeating: 0x31, count: 40)
        while EarCommand.next(from: &bytes) != nil {}
        #expect(bytes.count <= 17)
    }
}
