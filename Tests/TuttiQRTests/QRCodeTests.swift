import Foundation
import TestSupport
import Testing
import TuttiQR

/// QR codes on a terminal, as a reader sees them.
@Suite struct QRCodeTests {
    /// The picture as a camera would have it: each half of a character some pixels wide, in portable greymap.
    private static func image(of picture: String, scale: Int = 4) throws -> Data {
        var rows: [[Bool]] = []
        for line in picture.split(separator: "\n") where line.hasPrefix("\u{1B}[38;5;16;48;5;231m") {
            let blocks = line.dropFirst("\u{1B}[38;5;16;48;5;231m".count).prefix { $0 != "\u{1B}" }
            rows.append(blocks.map { $0 == "▀" || $0 == "█" })
            rows.append(blocks.map { $0 == "▄" || $0 == "█" })
        }
        let width = try #require(rows.first?.count)
        #expect(rows.allSatisfy { $0.count == width })
        var bytes = Data("P5 \(width * scale) \(rows.count * scale) 255\n".utf8)
        for row in rows {
            let line = row.flatMap { isDark in [UInt8](repeating: isDark ? 0 : 255, count: scale) }
            for _ in 0..<scale { bytes.append(contentsOf: line) }
        }
        return bytes
    }

    @Test(
        "a reader reads what was to be said", .enabled(if: OutsideTool.has("zbarimg"), "zbarimg is not installed"),
        arguments: [
            "Q7KM-4TNA-9XWE-2BCD-PRZ0-K5MN-VY", "Q7KM-4TNA-9XWE-2BCD-PRZ0-K5MN-VY@192.168.1.10:41233",
            "https://[fe80::1]:8443/?t=Q7KM4TNA9XWE2BCD",
        ])
    func aReaderReadsIt(_ text: String) throws {
        let picture = try #require(QRCode(text)).picture
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("qr-\(UUID().uuidString).pgm").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.image(of: picture).write(to: URL(fileURLWithPath: path))
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["zbarimg", "--quiet", "--raw", path]
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        let read = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(read == text + "\n")
    }

    @Test func aTextThatFitsNoCodeHasNone() {
        #expect(QRCode("") == nil && QRCode(String(repeating: "x", count: 4_000)) == nil && QRCode("a\0b") == nil)
    }

    @Test func aCodeHasItsMarginAndFitsATerminal() throws {
        let code = try #require(QRCode("Q7KM-4TNA-9XWE-2BCD-PRZ0-K5MN-VY"))
        let lines = code.picture.split(separator: "\n")
        #expect(code.columns <= 40 && lines.count <= 20)
        #expect(lines.count == (code.columns + 1) / 2)
    }

    @Test func aTerminalThatShowsItGetsIt() {
        let terminal = QRChoice(isTerminal: true, columns: 80)
        let usual = ["TERM": "xterm-256color", "LANG": "en_GB.UTF-8"]
        #expect(terminal.picture(of: "a", wish: nil, environment: usual) != nil)
        #expect(terminal.picture(of: "a", wish: false, environment: usual) == nil)
        for environment in [
            [:], ["TERM": "dumb", "LANG": "C.UTF-8"], ["TERM": "xterm", "LANG": "C"],
            ["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"],
        ] {
            #expect(terminal.picture(of: "a", wish: nil, environment: environment) == nil)
            #expect(terminal.picture(of: "a", wish: true, environment: environment) != nil)
        }
        #expect(QRChoice(isTerminal: true, columns: 20).picture(of: "a", wish: nil, environment: usual) == nil)
        let pipe = QRChoice(isTerminal: false, columns: 80)
        #expect(pipe.picture(of: "a", wish: nil, environment: usual) == nil)
        #expect(pipe.picture(of: "a", wish: true, environment: usual) != nil)
    }
}
