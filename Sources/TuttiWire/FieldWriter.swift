import TuttiCore

/// Writes fields of a JSON object; what is nil, not finite or empty by meaning is left out.
struct FieldWriter {
    private var fields: [(name: String, json: [UInt8])] = []

    /// The object, with its fields in the order of their names.
    var object: [UInt8] {
        var json = [UInt8(ascii: "{")]
        for (index, field) in fields.sorted(by: { $0.name < $1.name }).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            field.name.write(to: &json)
            json.append(UInt8(ascii: ":"))
            json += field.json
        }
        json.append(UInt8(ascii: "}"))
        return json
    }

    mutating func set(_ name: String, _ value: some JSONFragment) {
        var json: [UInt8] = []
        value.write(to: &json)
        fields.append((name, json))
    }

    /// A text, cut to its limit.
    mutating func text(_ name: String, _ value: String?, maximumBytes: Int = WireLimits.textBytes) {
        guard let value else { return }
        set(name, value.cut(toBytes: maximumBytes))
    }

    mutating func figure(_ name: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        set(name, min(max(value, -1e15), 1e15))
    }

    mutating func optional(_ name: String, _ value: (some JSONFragment)?) {
        if let value { set(name, value) }
    }

    mutating func time(_ name: String, _ time: MediaTime?) {
        if let time { set(name, [time.value, Int64(time.timescale)]) }
    }

    mutating func ranges(_ name: String, _ ranges: [TimeRange]) {
        set(
            name,
            ranges.prefix(WireLimits.ranges).map { range in
                let end = range.end
                return [
                    range.start.value, Int64(range.start.timescale), end.value, Int64(end.timescale),
                ]
            })
    }

    mutating func texts(_ name: String, _ list: [[String]]) {
        if !list.isEmpty {
            set(name, list.prefix(WireLimits.standIns).map { $0.map { $0.cut(toBytes: WireLimits.textBytes) } })
        }
    }

    mutating func pairs(_ name: String, _ pairs: [[Double]]) {
        set(name, Array(pairs.filter { $0.allSatisfy(\.isFinite) }.prefix(WireLimits.ranges)))
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
