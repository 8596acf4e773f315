/// The TXT record of a speaker: `id`, `name`, `v` and `claimed` (`1` or `0`).
package struct SpeakerText: Equatable {
    /// The speaker's id, or nothing.
    package var id = ""
    /// Its name, or nothing.
    package var name = ""
    /// The version of the protocol, or nothing.
    package var version = ""
    /// Whether a house has claimed it.
    package var isClaimed = false

    /// The most bytes of one value; a string of a TXT record is 255 bytes at most, its key included.
    package static let maximumValueBytes = 240
    /// The most strings of a record that are looked at.
    package static let maximumStrings = 32

    /// The strings of a record, `key=value`.
    package var strings: [String] {
        [("id", id), ("name", name), ("v", version), ("claimed", isClaimed ? "1" : "0")].map { key, value in
            key + "=" + ServiceName.fitting(value, maximumBytes: Self.maximumValueBytes)
        }
    }

    /// A record of these values.
    package init(id: String, name: String, version: String, isClaimed: Bool) {
        self.id = id
        self.name = name
        self.version = version
        self.isClaimed = isClaimed
    }

    /// Reads strings from the network; unknown keys are passed over, of a key that comes twice the first counts.
    ///
    /// Bytes that are no UTF-8 become replacement characters and control characters are dropped.
    package init(parsing strings: some Sequence<[UInt8]>) {
        var seen: Set<String> = []
        for bytes in strings.prefix(Self.maximumStrings) {
            guard let separator = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: bytes[..<separator], as: UTF8.self).lowercased()
            guard seen.insert(key).inserted else { continue }
            let value = ServiceName.fitting(
                String(decoding: bytes[(separator + 1)...], as: UTF8.self), maximumBytes: Self.maximumValueBytes)
            switch key {
            case "id": id = value
            case "name": name = value
            case "v": version = value
            case "claimed": isClaimed = value == "1"
            default: break
            }
        }
    }
}
