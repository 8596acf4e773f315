extension MediaTime: Codable {
    /// Reads `[value, timescale]`.
    ///
    /// - Throws: `DecodingError` for what is no media time.
    public init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        let value = try parts.decode(Int64.self)
        let timescale = try parts.decode(Int32.self)
        guard parts.isAtEnd, let time = MediaTime(value: value, timescale: timescale) else {
            let text = "\(value)/\(timescale) is not a media time"
            throw DecodingError.dataCorruptedError(in: parts, debugDescription: text)
        }
        self = time
    }

    /// Writes `[value, timescale]`.
    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.unkeyedContainer()
        try parts.encode(value)
        try parts.encode(timescale)
    }
}
