/// The TXT record of a speaker: `id`, `name`, `v`, `claimed` (`1` or `0`), `screen` (`1`, or left
/// out), and what `SpeakerClock` says.
package struct SpeakerText: Equatable {
    /// The speaker's id, or nothing.
    package var id: String
    /// Its name, or nothing.
    package var name: String
    /// The version of the protocol, or nothing.
    package var version: String
    /// Whether a house has claimed it.
    package var isClaimed: Bool
    /// Whether it shows pictures.
    package var isScreen: Bool
    /// Its part in a group clock; nil where it says nothing of it.
    package var clock: SpeakerClock?

    /// The most bytes of one value; a string of a TXT record is 255 bytes at most, its key included.
    package static let maximumValueBytes = 240
    /// The most strings of a record that are looked at.
    package static let maximumStrings = 32

    /// The strings of a record, `key=value`.
    package var strings: [String] {
        let own = [("id", id), ("name", name), ("v", version), ("claimed", isClaimed ? "1" : "0")]
        return (own + (isScreen ? [("screen", "1")] : []) + (clock?.values ?? [])).map { key, value in
            key + "=" + ServiceName.fitting(value, maximumBytes: Self.maximumValueBytes)
        }
    }

    /// A record of these values.
    package init(
        id: String, name: String, version: String, isClaimed: Bool, isScreen: Bool = false, clock: SpeakerClock? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.isClaimed = isClaimed
        self.isScreen = isScreen
        self.clock = clock
    }

    /// Reads strings from the network; unknown keys are passed over, of a key that comes twice the first counts.
    ///
    /// Bytes that are no UTF-8 become replacement characters and control characters are dropped.
    package init(parsing strings: some Sequence<[UInt8]>) {
        var values: [String: String] = [:]
        for bytes in strings.prefix(Self.maximumStrings) {
            guard let separator = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: bytes[..<separator], as: UTF8.self).lowercased()
            guard values[key] == nil else { continue }
            values[key] = ServiceName.fitting(
                String(decoding: bytes[(separator + 1)...], as: UTF8.self), maximumBytes: Self.maximumValueBytes)
        }
        self.init(
            id: values["id"] ?? "", name: values["name"] ?? "", version: values["v"] ?? "",
            isClaimed: values["claimed"] == "1", isScreen: values["screen"] == "1", clock: SpeakerClock(values: values))
    }
}
