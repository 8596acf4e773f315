/// The words of a line: a command and its arguments, quoted as MPD does it.
package struct MPDWords: Equatable, Sendable {
    package var command: String
    package var arguments: [String]

    package init(command: String, arguments: [String] = []) {
        (self.command, self.arguments) = (command, arguments)
    }

    /// Reads a line.
    ///
    /// - Throws: what is wrong with it. The command is not known then.
    package init(line: [UInt8]) throws(MPDFault) {
        var rest = line[...]
        command = try Self.command(&rest)
        arguments = []
        while let word = try Self.argument(&rest) {
            guard arguments.count < MPDLimits.words else { throw MPDFault(.argument, "Too many arguments") }
            arguments.append(word)
        }
    }

    private static func command(_ rest: inout ArraySlice<UInt8>) throws(MPDFault) -> String {
        let word = rest.prefix { !isBlank($0) }
        guard let first = word.first else { throw MPDFault(.unknown, "No command given") }
        guard isLetter(first) else { throw MPDFault(.unknown, "Letter expected") }
        guard word.allSatisfy({ isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }) else {
            throw MPDFault(.unknown, "Invalid word character")
        }
        rest = rest[word.endIndex...].drop(while: isBlank)
        return String(decoding: word, as: UTF8.self)
    }

    private static func argument(_ rest: inout ArraySlice<UInt8>) throws(MPDFault) -> String? {
        guard let first = rest.first else { return nil }
        let word = first == UInt8(ascii: "\"") ? try quoted(&rest) : try plain(&rest)
        rest = rest.drop(while: isBlank)
        guard let text = String(validating: word, as: UTF8.self) else { throw MPDFault(.argument, "Invalid UTF-8") }
        return text
    }

    private static func plain(_ rest: inout ArraySlice<UInt8>) throws(MPDFault) -> [UInt8] {
        let word = rest.prefix { !isBlank($0) }
        guard !word.contains(UInt8(ascii: "\"")), !word.contains(UInt8(ascii: "'")) else {
            throw MPDFault(.unknown, "Invalid unquoted character")
        }
        rest = rest[word.endIndex...]
        return Array(word)
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(MPDFault) -> [UInt8] {
        rest.removeFirst()
        var word: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                guard rest.first.map(isBlank) ?? true else {
                    throw MPDFault(.unknown, "Space expected after closing '\"'")
                }
                return word
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { throw MPDFault(.unknown, "Missing closing '\"'") }
                word.append(escaped)
            default: word.append(byte)
            }
        }
        throw MPDFault(.unknown, "Missing closing '\"'")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }
}
