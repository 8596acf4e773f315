/// What plays, in lines of `key=value`: `title`, `artist`, `album`, and `art`, which is a path, a `file:` or an
/// `http(s):` address. An empty line ends a set, which takes the place of the one before; a set without title, artist
/// and album says that nothing plays. Several artists are several lines. Other keys are left for later versions.
package struct TagLines: TagParser {
    /// Bytes of a line; longer ones are left out.
    package static let maximumBytes = 4_096
    /// Artists that are told.
    private static let maximumArtists = 8

    private var line: [UInt8] = []
    private var isTooLong = false
    private var set = SaidTags()
    private var artists: [String] = []
    /// Whether a line of the set has come.
    private var hasBegun = false

    package init() {}

    package mutating func take(_ bytes: [UInt8]) -> [TagEvent] {
        var events: [TagEvent] = []
        for byte in bytes {
            if byte == 0x0A {
                endLine(&events)
            } else if line.count < Self.maximumBytes {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
        return events
    }

    package mutating func end() -> [TagEvent] {
        var events: [TagEvent] = []
        endLine(&events)
        if hasBegun { endSet(&events) }
        return events
    }

    private mutating func endLine(_ events: inout [TagEvent]) {
        defer { (line, isTooLong) = ([], false) }
        if isTooLong {
            hasBegun = true
            return events.append(.remark("a line has more than \(Self.maximumBytes) bytes; it is left out"))
        }
        if line.last == 0x0D { line.removeLast() }
        guard !line.isEmpty else {
            if hasBegun { endSet(&events) }
            return
        }
        hasBegun = true
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return }
        let value = TagValue.text(line[(sign + 1)...])
        switch String(decoding: line[..<sign], as: UTF8.self) {
        case "title": set.title = value
        case "artist": if let value, artists.count < Self.maximumArtists { artists.append(value) }
        case "album": set.album = value
        case "art": set.picture = value.flatMap { SaidTags.Picture(place: $0) }
        default: break
        }
    }

    private mutating func endSet(_ events: inout [TagEvent]) {
        if !artists.isEmpty { set.artist = artists.joined(separator: ", ") }
        events.append(.says(set.isEmpty ? nil : set))
        (set, artists, hasBegun) = (SaidTags(), [], false)
    }
}

extension SaidTags.Picture {
    /// A path, a `file:` or an `http(s):` address; nil for anything else.
    init?(place: String) {
        let lower = place.prefix(8).lowercased()
        if place.hasPrefix("/") {
            self = .file(place)
        } else if lower.hasPrefix("http://") || lower == "https://" {
            self = .address(place)
        } else if lower.hasPrefix("file:///"), let path = Self.unescaped(place.dropFirst(7)) {
            self = .file(path)
        } else {
            return nil
        }
    }

    /// With `%20` as what it stands for; nil for what makes no sense.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), value != 0 else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
