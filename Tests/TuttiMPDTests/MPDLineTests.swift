import Testing
import TuttiMPD

/// Lines and their words.
@Suite struct MPDLineTests {
    private func words(_ text: String) throws -> [String] {
        let words = try MPDWords(line: Array(text.utf8))
        return [words.command] + words.arguments
    }

    @Test("words are separated by blanks and quoted as MPD does it")
    func quoting() throws {
        #expect(try words("status") == ["status"])
        #expect(try words("play \t 3  ") == ["play", "3"])
        #expect(try words(#"add "a b""#) == ["add", "a b"])
        #expect(try words(#"find "(Artist == \"foo\\'bar\\\"\")""#) == ["find", #"(Artist == "foo\'bar\"")"#])
        #expect(try words(#"add """#) == ["add", ""])
    }

    @Test(
        "what is no line is refused in MPD's words",
        arguments: [
            ("add \"a", "Missing closing '\"'"), ("add \"a\\", "Missing closing '\"'"),
            ("add \"a\"b", "Space expected after closing '\"'"), ("add a'b", "Invalid unquoted character"),
            ("1add", "Letter expected"), ("a-b", "Invalid word character"), ("", "No command given"),
        ])
    func faults(line: String, message: String) {
        #expect(throws: MPDFault(.unknown, message)) { try words(line) }
    }

    @Test("words that are no UTF-8, and too many of them, are refused")
    func bounds() {
        #expect(throws: MPDFault(.argument, "Invalid UTF-8")) { try MPDWords(line: Array("add ".utf8) + [0xFF]) }
        let many = "add" + String(repeating: " a", count: MPDLimits.words + 1)
        #expect(throws: MPDFault(.argument, "Too many arguments")) { try words(many) }
    }

    @Test("bytes become lines, however they come")
    func splitting() {
        var splitter = MPDLineSplitter()
        for byte in "ping\r\nstatus\nre".utf8 { splitter.take([byte]) }
        #expect(splitter.next() == .line(Array("ping".utf8)))
        #expect(splitter.next() == .line(Array("status".utf8)))
        #expect(splitter.next() == .wait && splitter.waiting == 2)
        splitter.take(Array(repeating: 0x61, count: MPDLimits.line))
        #expect(splitter.next() == .tooLong)
    }
}
