/// A filter, and what stands after it: how the songs are sorted, and which of them are meant.
struct MPDQuery {
    private(set) var filter = MPDFilter.all([])
    /// Where they are added.
    private(set) var position: String?
    /// By what counts and lists are divided.
    private(set) var groups: [MPDTag] = []
    private var sort: (order: Order, isDescending: Bool)?
    private var window: Range<Int>?

    private enum Order {
        case tag(MPDTag)
        case modified
    }

    private static let ends: Set<String> = ["sort", "window", "position", "group"]

    init(_ arguments: [String], isExact: Bool) throws(MPDFault) {
        var rest = arguments[...]
        filter = try MPDFilter(taking: &rest, isExact: isExact, until: Self.ends)
        while let word = rest.popFirst() {
            guard let value = rest.popFirst() else { throw MPDFault(.argument, "\(word) needs a value") }
            switch word.lowercased() {
            case "sort": sort = try Self.order(value)
            case "window": window = try Self.window(value)
            case "position": position = value
            case "group":
                guard let tag = MPDTag(named: value) else { throw MPDFault(.argument, "Unknown tag type: \(value)") }
                groups.append(tag)
            default: throw MPDFault(.argument, "Unknown argument: \(word)")
            }
        }
    }

    /// Things in the order and in the window that were asked for.
    func arranged<Thing>(_ things: [Thing], by song: (Thing) -> any MPDTagged) -> [Thing] {
        var things = things
        if let sort {
            let keyed = things.map { (thing: $0, key: Self.key(sort.order, song($0))) }
            let sorted = keyed.sorted { sort.isDescending ? $0.key > $1.key : $0.key < $1.key }
            things = sorted.map(\.thing)
        }
        guard let window else { return things }
        return Array(things[min(window.lowerBound, things.count)..<min(window.upperBound, things.count)])
    }

    private static func key(_ order: Order, _ song: any MPDTagged) -> String {
        switch order {
        case .modified: return padded("\(song.modified ?? 0)")
        case .tag(let tag):
            let value = song.values(of: tag).first ?? ""
            // 10 comes after 9.
            return tag == .track || tag == .disc ? padded(String(value.prefix { $0.isNumber })) : value
        }
    }

    private static func padded(_ number: String) -> String {
        String(repeating: "0", count: max(0, 20 - number.count)) + number
    }

    private static func order(_ text: String) throws(MPDFault) -> (Order, Bool) {
        let isDescending = text.hasPrefix("-")
        let name = isDescending ? String(text.dropFirst()) : text
        if name.lowercased() == "last-modified" { return (.modified, isDescending) }
        guard let tag = MPDTag(named: name) else { throw MPDFault(.argument, "Unknown sort tag: \(name)") }
        return (.tag(tag), isDescending)
    }

    private static func window(_ text: String) throws(MPDFault) -> Range<Int> {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Int(parts[0]), let end = parts[1].isEmpty ? Int.max : Int(parts[1]),
            start >= 0, start <= end
        else { throw MPDFault(.argument, "Bad range: \(text)") }
        return start..<end
    }
}
