import TuttiSchema

/// What clients note of songs of the library.
extension MPDCommand {
    static let stickers: [MPDCommand] = [
        MPDCommand("sticker", .read, 3...6) { call throws(MPDFault) in
            let words = call.arguments
            guard words[1] == "song" else { throw MPDFault(.argument, "unknown sticker domain") }
            let path = words[2].split(separator: "/").joined(separator: "/")
            switch (words[0], words.count) {
            case ("get", 4):
                guard let found = try call.library.stickers(of: path).first(where: { $0.name == words[3] }) else {
                    throw MPDFault(.noSuchThing, "no such sticker")
                }
                call.output.pair("sticker", "\(found.name)=\(found.value)")
            case ("list", 3):
                for (name, value) in try call.library.stickers(of: path) {
                    call.output.pair("sticker", "\(name)=\(value)")
                }
            case ("set", 5): try call.setSticker(of: path, words[3], to: words[4])
            case ("delete", 3): try call.setSticker(of: path, nil, to: nil)
            case ("delete", 4): try call.setSticker(of: path, words[3], to: nil)
            case ("find", 4), ("find", 6):
                let test = try words.count == 6 ? StickerTest(words[4], words[5]) : nil
                for (song, value) in try call.library.stickers(named: words[3], in: path)
                where test?.matches(value) ?? true {
                    call.output.pair("file", song)
                    call.output.pair("sticker", "\(words[3])=\(value)")
                }
            default: throw MPDFault(.argument, "bad request")
            }
        }
    ]
}

extension MPDCall {
    fileprivate mutating func setSticker(of path: String, _ name: String?, to value: String?) throws(MPDFault) {
        guard client.permissions.contains(.control) else {
            throw MPDFault(.permission, "you don't have permission for \"sticker\"")
        }
        // What stands before a `=` is the name for clients.
        guard name.map({ !$0.contains("=") && $0 == MPDOutput.shown($0) }) ?? true,
            value.map({ $0 == MPDOutput.shown($0) }) ?? true
        else { throw MPDFault(.argument, "a sticker is one line, and its name has no =") }
        try library.setSticker(of: path, name, to: value)
        changes.append(MPDChange(.sticker))
    }
}

/// A comparison of texts, as MPD compares them: byte by byte.
private struct StickerTest {
    private enum Comparison { case equal, less, greater }

    private let comparison: Comparison
    private let value: String

    init(_ word: String, _ value: String) throws(MPDFault) {
        switch word {
        case "=": comparison = .equal
        case "<": comparison = .less
        case ">": comparison = .greater
        default: throw MPDFault(.argument, "bad operator")
        }
        self.value = value
    }

    func matches(_ other: String) -> Bool {
        switch comparison {
        case .equal: other.utf8.elementsEqual(value.utf8)
        case .less: other.utf8.lexicographicallyPrecedes(value.utf8)
        case .greater: value.utf8.lexicographicallyPrecedes(other.utf8)
        }
    }
}
