/// What stands behind the scheme of a live input: a place, then options behind the last question mark.
struct LiveOptions {
    /// The place, or the command.
    let place: String
    private(set) var format: String?
    private(set) var latency: String?
    private(set) var threshold: String?
    private(set) var listens = false
    /// An option that there is not.
    private(set) var unknown: String?

    private static let names: Set<Substring> = ["format", "latency", "threshold", "listen", "mode"]

    /// - Parameter isStrict: whether everything behind a question mark has to be options; else it may be part of the
    ///   place.
    init(_ text: Substring, isStrict: Bool) {
        guard let mark = text.lastIndex(of: "?"),
            isStrict || Self.areOptions(text[text.index(after: mark)...])
        else {
            place = String(text)
            return
        }
        place = String(text[..<mark])
        for option in text[text.index(after: mark)...].split(separator: "&") { take(option) }
    }

    private mutating func take(_ option: Substring) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1]) : ""
        switch parts[0] {
        case "format": format = value
        case "latency": latency = value
        case "threshold": threshold = value
        case "listen" where value.isEmpty: listens = true
        // As Snapcast has it.
        case "mode" where value == "server": listens = true
        case "mode" where value == "client": listens = false
        default: unknown = unknown ?? String(option)
        }
    }

    /// Whether this is a list of options that there are.
    static func areOptions(_ text: Substring) -> Bool {
        let options = text.split(separator: "&")
        return !options.isEmpty
            && options.allSatisfy { names.contains($0.prefix { $0 != "=" }) }
    }
}
