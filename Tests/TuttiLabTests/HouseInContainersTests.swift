import Foundation
import Testing
import TuttiLab

@Suite("Tests across containers")
struct HouseInContainersTests {
    private func lines(_ text: String) -> () -> [UInt8]? {
        var rest = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }[
            ...]
        return { rest.popFirst() }
    }

    @Test("Docker's answers are read, and what is no answer is none")
    func replies() {
        let good = DockerEngine.reply(next: lines("HTTP/1.0 200 OK\r\nServer: Docker\r\n\r\n[{\"Id\":\"1\"}]\n"))
        #expect(good == DockerEngine.Reply(status: 200, body: #"[{"Id":"1"}]"#))
        #expect(DockerEngine.reply(next: lines("HTTP/1.1 204 No Content\r\n\r\n"))?.status == 204)
        #expect(DockerEngine.reply(next: lines("")) == nil)
        #expect(DockerEngine.reply(next: lines("SSH-2.0-OpenSSH_9.2\r\n")) == nil)
        #expect(DockerEngine.reply(next: { nil }) == nil)
    }

    @Test("containers are known by their service")
    func containers() throws {
        let text = #"""
            [{"Id":"abc","Labels":{"com.docker.compose.project":"tutti","com.docker.compose.service":"bath"},
              "NetworkSettings":{"Networks":{"tutti_house":{"NetworkID":"n1","IPAddress":"10.87.7.3"}}}},
             {"Id":"def","Labels":{},"NetworkSettings":{"Networks":{}}}]
            """#
        let list = try JSONDecoder().decode([Container].self, from: Data(text.utf8))
        #expect(list[0].project == "tutti" && list[0].service == "bath")
        #expect(list[0].attachment?.network == "n1" && list[0].attachment?.address == "10.87.7.3")
        #expect(list[0].attachment?.neighbour(101) == "10.87.7.101")
        #expect(list[1].project == nil && list[1].attachment == nil)
    }

    private func room(
        completeness: Double = 100, gaps: [ComparisonReport.Gap] = [], jumps: Int = 0, underruns: Int = 0,
        sounds: Bool = true
    ) -> ComparisonReport.Room {
        var room = ComparisonReport.Room(name: "bath")
        room.firstSoundRawNanoseconds = sounds ? 1 : nil
        (room.completeness, room.gaps) = (completeness, gaps)
        (room.jumps, room.underruns) = (jumps, underruns)
        return room
    }

    @Test("music with a break does not pass, and what a late room cannot have is not asked of it")
    func breaks() {
        #expect(HouseMarks.breaks(in: room(), of: 60).isEmpty)
        #expect(HouseMarks.breaks(in: room(sounds: false), of: 60) == ["bath is silent"])
        let gap = ComparisonReport.Gap(mediaSeconds: 3, milliseconds: 20)
        #expect(HouseMarks.breaks(in: room(gaps: [gap]), of: 60).count == 1)
        #expect(HouseMarks.breaks(in: room(jumps: 1, underruns: 1), of: 60).count == 2)
        #expect(HouseMarks.breaks(in: room(completeness: 90), of: 60).count == 1)
        #expect(HouseMarks.breaks(in: room(completeness: 90), of: 60, from: 6).isEmpty)
        #expect(HouseMarks.breaks(in: room(completeness: 89), of: 60, from: 6).count == 1)
    }

    @Test("rooms are judged by the 99th percentile, without the second after a return")
    func steps() {
        let report = MadeUp.report { time in (20..<21).contains(time) ? 900 : 5 }
        #expect(HouseMarks.faults(of: HouseMarks.spread(report)).count == 1)
        let spread = HouseMarks.spread(report, without: [(room: "h2", rawNanoseconds: MadeUp.raw(20))])
        #expect(spread.max == 5 && HouseMarks.faults(of: spread).isEmpty)
        #expect(HouseMarks.faults(of: HouseMarks.spread(MadeUp.report(seconds: 0) { _ in 0 })).count == 1)
    }

    @Test("a room that is late or off when it comes back does not pass")
    func returns() {
        func faults(_ seconds: Double, _ worst: Double) -> Int {
            HouseMarks.faults(
                of: BenchFigures.Return(room: "bath", seconds: seconds, worstMicroseconds: worst), in: "bath"
            ).count
        }
        #expect(faults(1, 20) == 0 && faults(9, 20) == 1 && faults(1, 5000) == 1)
        #expect(HouseMarks.faults(of: nil, in: "bath") == ["bath did not come back"])
    }

    @Test("a recording is cut at a moment")
    func cropping() throws {
        let log = #"{"run":1,"t0_raw_ns":1000000000,"rate":1000,"ppm":0,"first_frame":0,"frames":5000}"#
        let truth = try TruthLog(parsing: Data(log.utf8), path: "h1.log")
        let whole = CardRecording(
            name: "h1", truth: truth,
            recording: WaveFile(sampleRate: 1000, channels: [[Float](repeating: 0, count: 5000)]))
        #expect(whole.cropped(to: 3_000_000_000).truth.runs.map(\.frames) == [2000])
        #expect(whole.cropped(to: 9_000_000_000).truth.runs.map(\.frames) == [5000])
        #expect(whole.cropped(to: 500_000_000).truth.runs.isEmpty)
        #expect(whole.cropped(from: 2_000_000_000).cropped(to: 3_000_000_000).truth.runs.map(\.frames) == [1000])
    }

    @Test("a verdict says what it found")
    func verdicts() {
        #expect(Verdict("all is well", figures: "5 µs").text == "ok      all is well: 5 µs")
        let bad = Verdict("all is well", faults: ["bath is silent"])
        #expect(!bad.hasPassed && bad.text == "FAILED  all is well\n        bath is silent")
    }
}
