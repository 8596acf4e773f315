/// All endpoints. The router and the OpenAPI document are made of this one table.
package struct RouteTable: Sendable {
    /// What a method and a path mean.
    package enum Match: Sendable {
        case endpoint(Endpoint, parameters: [String: String])
        /// The path has other methods only.
        case otherMethods([String])
        case nothing
    }

    /// The prefix of all paths.
    package static let prefix = "/api/v1"
    /// The longest name of a group or a room, in bytes.
    package static let longestName = 256
    /// The longest path, in bytes.
    private static let longestPath = 2_048
    /// Variables of paths that are numbers.
    package static let numbers: Set<String> = ["entry", "number"]

    package let endpoints: [Endpoint]

    /// The endpoints of this version.
    ///
    /// - Throws: for a type that no schema can be found of.
    package init() throws {
        endpoints =
            try Self.general() + Self.groups() + Self.transport() + Self.queue() + Self.rooms() + Self.stations()
            + Self.library() + Self.playlists() + Self.schedules() + Self.uploads() + Self.trust()
    }

    /// Finds what a path means.
    ///
    /// - Parameter path: as it was sent, without the query.
    package func match(_ method: String, _ path: String) -> Match {
        guard path.utf8.count <= Self.longestPath, path.hasPrefix(Self.prefix + "/") else { return .nothing }
        let segments = path.dropFirst(Self.prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        var allowed: [String] = []
        for endpoint in endpoints {
            guard let parameters = Self.parameters(of: endpoint, in: segments) else { continue }
            if endpoint.method.rawValue == method { return .endpoint(endpoint, parameters: parameters) }
            allowed.append(endpoint.method.rawValue)
        }
        return allowed.isEmpty ? .nothing : .otherMethods(allowed)
    }

    private static func parameters(of endpoint: Endpoint, in segments: [Substring]) -> [String: String]? {
        let pattern = endpoint.path.split(separator: "/")
        guard pattern.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, segment) in zip(pattern, segments) {
            if part.hasPrefix("{") {
                guard let value = PercentCoding.decode(segment), (1...longestName).contains(value.utf8.count),
                    value.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
                else { return nil }
                parameters[String(part.dropFirst().dropLast())] = value
            } else if part != segment {
                return nil
            }
        }
        return parameters
    }
}

/// `%20` and the like, in paths.
package enum PercentCoding {
    /// The text; nil for what is no such coding of UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
