/// What shairport-sync writes to its metadata pipe: items, each with a type and a code of four characters in
/// hexadecimal, and perhaps data in base64:
///
/// ```
/// <item><type>636f7265</type><code>6d696e6d</code><length>4</length>
/// <data encoding="base64">
/// TmluYQ==</data></item>
/// ```
///
/// Those that say what plays come between `mdst` and `mden`; a picture comes by itself, before or after them, with the
/// same stamp.
package struct ShairportTags: TagParser {
    /// Bytes between two `>` that are none of data.
    private static let maximumToken = 256
    /// Bytes of data other than a picture.
    private static let maximumText = 8_192

    private struct Item {
        var type = ""
        var code = ""
        /// As it stands in base64.
        var data: [UInt8] = []

        var isPicture: Bool { type == "ssnc" && code == "PICT" }
        /// Bytes in base64 that are taken, with line ends between them.
        var limit: Int { isPicture ? AssetInfo.Artwork.maximumBytes / 3 * 4 + 65_536 : ShairportTags.maximumText }
    }

    private var token: [UInt8] = []
    private var item: Item?
    private var isInData = false
    private var isTooLong = false
    /// Between `mdst` and `mden`.
    private var bundle: (tags: SaidTags, stamp: [UInt8])?
    private var said = SaidTags()
    /// The stamps of the picture, and of the one that comes.
    private var stamps: (picture: [UInt8], coming: [UInt8]) = ([], [])

    package init() {}

    package mutating func take(_ bytes: [UInt8]) -> [TagEvent] {
        var events: [TagEvent] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: ">")) {
            keep(rest[..<end])
            rest = rest[(end + 1)...]
            endToken(&events)
        }
        keep(rest)
        return events
    }

    /// What the last writer had not finished is none.
    package mutating func end() -> [TagEvent] {
        (token, item, isInData, isTooLong, bundle) = ([], nil, false, false, nil)
        return []
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let limit = isInData ? item?.limit ?? Self.maximumText : Self.maximumToken
        guard !isTooLong, token.count + bytes.count <= limit else {
            (token, isTooLong) = ([], true)
            return
        }
        token += bytes
    }

    private mutating func endToken(_ events: inout [TagEvent]) {
        defer { (token, isTooLong) = ([], false) }
        guard !isTooLong else {
            if isInData, item?.isPicture == true {
                events.append(.remark(AssetInfo.Artwork.tooLarge))
            }
            (item, isInData) = (nil, false)
            return
        }
        guard let open = token.lastIndex(of: UInt8(ascii: "<")) else { return }
        let (text, tag) = (token[..<open], String(decoding: token[(open + 1)...], as: UTF8.self))
        switch tag {
        case "item": (item, isInData) = (Item(), false)
        case "/type": item?.type = Self.word(text)
        case "/code": item?.code = Self.word(text)
        case "/data" where isInData:
            item?.data = Array(text)
            isInData = false
        case "/item":
            if let item { take(item, &events) }
            (item, isInData) = (nil, false)
        default: if tag.hasPrefix("data "), item != nil { isInData = true }
        }
    }

    /// Four characters, given in hexadecimal.
    private static func word(_ text: ArraySlice<UInt8>) -> String {
        guard let value = UInt32(String(decoding: text, as: UTF8.self), radix: 16) else { return "" }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func take(_ item: Item, _ events: inout [TagEvent]) {
        guard let data = Base64.bytes(of: item.data) else { return }
        switch (item.type, item.code) {
        case ("core", let code): note(code, TagValue.text(data))
        case ("ssnc", "mdst"): bundle = (SaidTags(), data)
        case ("ssnc", "mden"):
            guard let bundle else { return }
            self.bundle = nil
            use(bundle.tags, bundle.stamp, &events)
        case ("ssnc", "pcst"): stamps.coming = data
        case ("ssnc", "PICT"):
            (said.picture, stamps.picture) = (data.isEmpty ? nil : .bytes(data), stamps.coming)
            if !said.isEmpty { tell(&events) }
        // A sender comes, or goes.
        case ("ssnc", "pbeg"), ("ssnc", "pend"):
            let wasEmpty = said.isEmpty
            (said, stamps, bundle) = (SaidTags(), ([], []), nil)
            if !wasEmpty { events.append(.says(nil)) }
        default: break
        }
    }

    private mutating func note(_ code: String, _ text: String?) {
        guard let text else { return }
        switch code {
        case "minm": bundle?.tags.title = text
        case "asar": bundle?.tags.artist = text
        // The album's artist, where the track says none.
        case "asaa": if bundle?.tags.artist == nil { bundle?.tags.artist = text }
        case "asal": bundle?.tags.album = text
        default: break
        }
    }

    private mutating func use(_ tags: SaidTags, _ stamp: [UInt8], _ events: inout [TagEvent]) {
        var tags = tags
        // A picture stays for its track, and for others of the album until there is another one.
        if stamp == stamps.picture || tags.album != nil && tags.album == said.album { tags.picture = said.picture }
        guard tags != said else { return }
        said = tags
        tell(&events)
    }

    private func tell(_ events: inout [TagEvent]) { events.append(.says(said.isEmpty ? nil : said)) }
}
