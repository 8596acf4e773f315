import TuttiCore
import TuttiSchema

/// Writes fields of a JSON object; what is nil, not finite or empty by meaning is left out.
struct FieldWriter {
    private var container: KeyedEncodingContainer<FieldKey>

    init(_ encoder: any Encoder) { container = encoder.container(keyedBy: FieldKey.self) }

    mutating func set(_ name: String, _ value: some Encodable) throws {
        try container.encode(value, forKey: FieldKey(name))
    }

    /// A text, cut to its limit.
    mutating func text(_ name: String, _ value: String?, maximumBytes: Int = WireLimits.textBytes) throws {
        guard let value else { return }
        try set(name, value.cut(toBytes: maximumBytes))
    }

    mutating func figure(_ name: String, _ value: Double?) throws {
        guard let value, value.isFinite else { return }
        try set(name, min(max(value, -1e15), 1e15))
    }

    mutating func optional(_ name: String, _ value: (some Encodable)?) throws {
        if let value { try set(name, value) }
    }

    mutating func time(_ name: String, _ time: MediaTime?) throws {
        if let time { try set(name, [time.value, Int64(time.timescale)]) }
    }

    mutating func ranges(_ name: String, _ ranges: [TimeRange]) throws {
        try set(
            name,
            ranges.prefix(WireLimits.ranges).map { range in
                let end = range.end
                return [
                    range.start.value, Int64(range.start.timescale), end.value, Int64(end.timescale),
                ]
            })
    }

    mutating func texts(_ name: String, _ list: [[String]]) throws {
        if !list.isEmpty {
            try set(name, list.prefix(WireLimits.standIns).map { $0.map { $0.cut(toBytes: WireLimits.textBytes) } })
        }
    }

    mutating func loaded(_ name: String, _ loaded: LoadedRanges) throws {
        try set(name, Array(loaded.seconds.prefix(WireLimits.ranges)))
    }
}

extension String {
    /// The longest beginning of at most `limit` bytes of UTF-8.
    func cut(toBytes limit: Int) -> String {
        if utf8.count <= limit { return self }
        var result = ""
        var count = 0
        for scalar in unicodeScalars {
            count += String(scalar).utf8.count
            if count > limit { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
