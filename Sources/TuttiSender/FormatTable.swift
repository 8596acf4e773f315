import TuttiCore

/// Numbers the formats of a programme as they come up.
struct FormatTable {
    private var ids: [AudioFormat: UInt16] = [:]

    /// The format's number.
    mutating func id(of format: AudioFormat) -> UInt16 {
        if let id = ids[format] { return id }
        let id = UInt16(truncatingIfNeeded: ids.count)
        ids[format] = id
        return id
    }
}
