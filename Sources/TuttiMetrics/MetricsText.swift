/// Figures in the text format of Prometheus (exposition format 0.0.4).
package struct MetricsText: Sendable {
    /// What kind of figure it is.
    package enum Kind: String, Sendable {
        /// It goes up and down.
        case gauge
        /// It only grows, until what counts it starts again; its name ends in `_total`.
        case counter
        /// How often something was up to each of several bounds; see `MetricsHistogram`.
        case histogram
    }

    private struct Family {
        let name: String
        let kind: Kind
        let help: String
        var samples = ""
    }

    private var families: [Family] = []
    private var places: [String: Int] = [:]

    /// The media type of the text.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// No figures.
    package init() {}

    /// Adds a figure. One that is not known, or no number, is left out.
    ///
    /// - Parameters:
    ///   - labels: their values may be any text.
    ///   - help: of the name's first figure: one sentence.
    package mutating func add(
        _ name: String, _ kind: Kind, _ value: Double?, _ labels: KeyValuePairs<String, String> = [:], help: String
    ) {
        guard let value, value.isFinite else { return }
        let place = family(name, kind, help)
        families[place].samples += Self.sample(name, Self.text(of: labels), value)
    }

    /// Adds a histogram: its buckets, sum and count.
    ///
    /// - Parameters:
    ///   - name: without `_bucket`, `_sum` and `_count`.
    ///   - labels: their values may be any text; `le` is none of them.
    package mutating func add(
        _ name: String, _ histogram: MetricsHistogram, _ labels: KeyValuePairs<String, String> = [:], help: String
    ) {
        let place = family(name, .histogram, help)
        let labels = Self.text(of: labels)
        let others = labels.isEmpty ? "" : labels + ","
        var samples = ""
        for (bound, count) in histogram.cumulative {
            let limit = bound.isFinite ? "\(bound)" : "+Inf"
            samples += Self.sample(name + "_bucket", others + "le=\"\(limit)\"", Double(count))
        }
        samples += Self.sample(name + "_sum", labels, histogram.sum)
        samples += Self.sample(name + "_count", labels, Double(histogram.count))
        families[place].samples += samples
    }

    /// The place of the figures of this name.
    private mutating func family(_ name: String, _ kind: Kind, _ help: String) -> Int {
        if let place = places[name] { return place }
        places[name] = families.count
        families.append(Family(name: name, kind: kind, help: help))
        return families.count - 1
    }

    private static func text(of labels: KeyValuePairs<String, String>) -> String {
        labels.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func sample(_ name: String, _ labels: String, _ value: Double) -> String {
        name + (labels.isEmpty ? "" : "{\(labels)}") + " \(value)\n"
    }

    /// The text, the figures of a name together.
    package var text: String {
        families.map { "# HELP \($0.name) \($0.help)\n# TYPE \($0.name) \($0.kind.rawValue)\n\($0.samples)" }.joined()
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n", "\r\n": text += "\\n"
            default: text.append(character)
            }
        }
    }
}
