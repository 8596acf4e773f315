import FoundationEssentials
import Logging
import Synchronization
import Testing
import TuttiLogging

@Suite("JSON log")
struct JSONLogHandlerTests {
    private final class Paper: Sendable {
        let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func write(_ bytes: [UInt8]) { lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    }

    private let paper = Paper()

    private func logger(_ level: Logger.Level = .info) -> Logger {
        Logger(label: "tutti-speaker") { label in
            var handler = JSONLogHandler(label: label, now: { Date(timeIntervalSince1970: 1_777_660_200.1234) }) {
                [paper] in paper.write($0)
            }
            handler.logLevel = level
            return handler
        }
    }

    private func only() throws -> [String: Any] {
        let lines = paper.all
        #expect(lines.count == 1 && lines[0].hasSuffix("\n") && lines[0].dropLast().contains("\n") == false)
        struct Line: Decodable {
            var time, level, program, source, message: String
            var fields: [String: String]?
        }
        let line = try JSONDecoder().decode(Line.self, from: Data(lines[0].utf8))
        return [
            "time": line.time, "level": line.level, "program": line.program, "source": line.source,
            "message": line.message, "fields": line.fields as Any,
        ]
    }

    @Test func aMessageIsOneLine() throws {
        logger().info("speaker ready", metadata: ["name": "kitchen", "port": "7700"], source: "TuttiSpeaker")
        #expect(
            paper.all == [
                #"{"fields":{"name":"kitchen","port":"7700"},"level":"info","message":"speaker ready","#
                    + #""program":"tutti-speaker","source":"TuttiSpeaker","time":"2026-05-01T18:30:00.123Z"}"# + "\n"
            ])
    }

    @Test func whatStrangersNamedCannotMakeASecondLine() throws {
        let name = "kitchen\n{\"level\":\"error\"}\u{1B}[31m\u{0}"
        logger().notice("from \(name)", metadata: ["name": "\(name)"], source: "x")
        let line = try only()
        #expect(line["message"] as? String == "from \(name)")
        #expect((line["fields"] as? [String: String])?["name"] == name)
    }

    @Test func metadataOfALoggerIsThereToo() throws {
        var logger = logger()
        logger[metadataKey: "room"] = "bath"
        logger.warning("late", metadata: ["by": "3 ms"], source: "x")
        #expect(try only()["fields"] as? [String: String] == ["room": "bath", "by": "3 ms"])
    }

    @Test func whatIsLessImportantIsLeftOut() {
        logger(.notice).info("nothing")
        #expect(paper.all.isEmpty)
    }
}
