/// Figures in the text format of Prometheus (exposition format 0.0.4).
package struct MetricsText: Sendable {
    /// What kind of figure it is.
    package enum Kind: String, Sendable {
        /// It goes up and down.
        case gauge
        /// It only grows, until what counts it starts again; its name ends in `_total`.
        case counter
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
        let place = places[name] ?? families.count
        if place == families.count {
            families.append(Family(name: name, kind: kind, help: help))
            places[name] = place
        }
        let text = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        families[place].samples += name + (text.isEmpty ? "" : "{\(text)}") + " \(value)\n"
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
