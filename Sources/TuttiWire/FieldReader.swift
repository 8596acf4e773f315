import TuttiCore
import TuttiSchema

/// A field's name.
struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// Reads fields of a JSON object, each checked against its limits.
///
/// Its methods throw `WireError.malformedMessage` with the name of the field.
struct FieldReader {
    private let container: KeyedDecodingContainer<FieldKey>

    init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: FieldKey.self) }

    func string(_ name: String, maximumBytes: Int = WireLimits.textBytes) throws -> String {
        guard let value = try optionalString(name, maximumBytes: maximumBytes) else { throw missing(name) }
        return value
    }

    func string(_ name: String, bytes: ClosedRange<Int>) throws -> String {
        let text = try string(name, maximumBytes: bytes.upperBound)
        guard text.utf8.count >= bytes.lowerBound else { throw invalid(name, "is too short") }
        return text
    }

    /// A text of several lines, each fit to be shown.
    func lines(_ name: String, maximumBytes: Int) throws -> String {
        guard let value: String = try value(name) else { throw missing(name) }
        guard value.utf8.count <= maximumBytes else { throw invalid(name, "is too long") }
        return value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { PeerText.shown(String($0)) }.joined(separator: "\n")
    }

    func optionalString(_ name: String, maximumBytes: Int = WireLimits.textBytes) throws -> String? {
        guard let value: String = try value(name) else { return nil }
        guard value.utf8.count <= maximumBytes else { throw invalid(name, "is too long") }
        return PeerText.shown(value)
    }

    func integer<Value: FixedWidthInteger & Decodable>(_ name: String, in range: ClosedRange<Value>) throws -> Value {
        guard let value = try optionalInteger(name, in: range) else { throw missing(name) }
        return value
    }

    func optionalInteger<Value: FixedWidthInteger & Decodable>(
        _ name: String, in range: ClosedRange<Value>
    ) throws -> Value? {
        guard let value: Value = try value(name) else { return nil }
        guard range.contains(value) else { throw invalid(name, "is out of range") }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        guard let value = try optionalNumber(name, in: range) else { throw missing(name) }
        return value
    }

    func optionalNumber(_ name: String, in range: ClosedRange<Double> = Self.figures) throws -> Double? {
        guard let value: Double = try value(name) else { return nil }
        guard value.isFinite, range.contains(value) else { throw invalid(name, "is out of range") }
        return value
    }

    func flag(_ name: String) throws -> Bool { try value(name) ?? false }

    func optionalFlag(_ name: String) throws -> Bool? { try value(name) }

    func time(_ name: String) throws -> MediaTime {
        guard let value = try optionalTime(name) else { throw missing(name) }
        return value
    }

    func optionalTime(_ name: String) throws -> MediaTime? {
        guard let parts: [Int64] = try value(name) else { return nil }
        guard parts.count == 2, let time = Self.time(parts[0], parts[1]) else {
            throw invalid(name, "is not a media time")
        }
        return time
    }

    func ranges(_ name: String) throws -> [TimeRange] {
        guard let list: [[Int64]] = try value(name) else { return [] }
        guard list.count <= WireLimits.ranges else { throw invalid(name, "has too many entries") }
        return try list.map { parts in
            guard parts.count == 4, let start = Self.time(parts[0], parts[1]), let end = Self.time(parts[2], parts[3]),
                start <= end
            else { throw invalid(name, "contains an entry that is not a range") }
            return TimeRange(start: start, end: end)
        }
    }

    /// Pairs of seconds.
    func loaded(_ name: String) throws -> LoadedRanges {
        guard let list: [[Double]] = try value(name) else { return LoadedRanges() }
        guard list.count <= WireLimits.ranges else { throw invalid(name, "has too many entries") }
        guard let loaded = LoadedRanges(seconds: list) else {
            throw invalid(name, "contains an entry that is not a pair of seconds")
        }
        return loaded
    }

    func strings(_ name: String) throws -> [String] {
        guard let list: [String] = try value(name) else { return [] }
        guard list.count <= WireLimits.codecs, list.allSatisfy({ $0.utf8.count <= WireLimits.codecBytes }) else {
            throw invalid(name, "is too long")
        }
        return list.map { PeerText.shown($0) }
    }

    func texts(_ name: String) throws -> [[String]] {
        guard let list: [[String]] = try value(name) else { return [] }
        guard list.count <= WireLimits.standIns,
            list.allSatisfy({ $0.count <= 4 && $0.allSatisfy { $0.utf8.count <= WireLimits.textBytes } })
        else { throw invalid(name, "is too long") }
        return list.map { $0.map { PeerText.shown($0) } }
    }

    func timescale(_ name: String) throws -> TimescaleID {
        let text = try string(name, maximumBytes: 16)
        guard text.utf8.count == 16, text.utf8.allSatisfy(isHexadecimalDigit), let value = UInt64(text, radix: 16),
            value != 0
        else { throw invalid(name, "is not a timescale") }
        return TimescaleID(rawValue: value)
    }

    func choice<Value: RawRepresentable>(_ name: String) throws -> Value where Value.RawValue == String {
        guard let value: Value = try optionalChoice(name) else { throw missing(name) }
        return value
    }

    func optionalChoice<Value: RawRepresentable>(_ name: String) throws -> Value? where Value.RawValue == String {
        guard let text = try optionalString(name) else { return nil }
        guard let value = Value(rawValue: text) else { throw invalid(name, "has the unknown value '\(text)'") }
        return value
    }

    func invalid(_ name: String, _ reason: String) -> WireError { .malformedMessage("'\(name)' \(reason)") }

    /// What a figure without limits of its own may be.
    private static let figures = -1e15...1e15

    private static func time(_ value: Int64, _ timescale: Int64) -> MediaTime? {
        Int32(exactly: timescale).flatMap { MediaTime(value: value, timescale: $0) }
    }

    private func missing(_ name: String) -> WireError { invalid(name, "is missing") }

    private func value<Value: Decodable>(_ name: String) throws -> Value? {
        do {
            return try container.decodeIfPresent(Value.self, forKey: FieldKey(name))
        } catch {
            throw invalid(name, "is of the wrong type")
        }
    }
}

/// Sixteen lower-case hexadecimal digits.
func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}

func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
}
