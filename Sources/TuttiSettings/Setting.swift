import TuttiHost

/// A setting of a program: its name, and what it may be set to.
package struct Setting<Value: Sendable>: Sendable {
    /// As it stands in the file, words with hyphens between them; a `*` stands for any name.
    package let name: String
    /// What is allowed; reads on from "is not", as in "a number from 0 to 65535".
    package let allowed: String
    /// The value; nil for what is not allowed.
    let parse: @Sendable (SettingValue) -> Value?

    /// A setting with one value.
    package init(_ name: String, allowed: String, parse: @escaping @Sendable (String) -> Value?) {
        self.name = name
        self.allowed = allowed
        self.parse = { value in
            guard case .text(let text) = value else { return nil }
            return parse(text)
        }
    }

    /// What holds for it whatever its type is.
    package var rule: SettingRule {
        SettingRule(name: name, allowed: allowed, accepts: { [parse] in parse($0) != nil })
    }

    /// The variable of the environment: `TUTTI_OUTPUT_DELAY` for `output-delay`, `TUTTI_MQTT_HOST` for `mqtt.host`.
    var variable: String {
        "TUTTI_" + String(name.uppercased().map { $0 == "-" || $0 == "." ? "_" : $0 })
    }
}

extension Setting {
    /// The setting of that name among those that a name with `*` means.
    package func named(_ part: String) -> Setting {
        Setting(
            name: name.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: part),
            allowed: allowed, parse: parse)
    }

    private init(name: String, allowed: String, parse: @escaping @Sendable (SettingValue) -> Value?) {
        self.name = name
        self.allowed = allowed
        self.parse = parse
    }
}

extension Setting<[String]> {
    /// A setting with a list of values; a single one is a list, too.
    package init(listOf name: String, allowed: String, accepts: @escaping @Sendable (String) -> Bool) {
        self.name = name
        self.allowed = allowed
        parse = { value in
            let items =
                switch value {
                case .text(let text): text.split(separator: ",").map(\.trimmed)
                case .list(let items): items
                }
            return !items.isEmpty && items.allSatisfy(accepts) ? items : nil
        }
    }

    /// A setting with a list of values that may have commas in them; a single one is a list, too.
    package init(linesOf name: String, allowed: String, accepts: @escaping @Sendable ([String]) -> Bool) {
        self.name = name
        self.allowed = allowed
        parse = { value in
            let items =
                switch value {
                case .text(let text): text.split(separator: "\n").map(\.trimmed)
                case .list(let items): items
                }
            return !items.isEmpty && accepts(items) ? items : nil
        }
    }

    /// A setting with a program and its arguments.
    package init(command name: String) {
        self.name = name
        allowed = "a list of a program's absolute path and its arguments, such as [/usr/local/bin/amplifier, on]"
        parse = { value in
            let words =
                switch value {
                case .text(let text): [text]
                case .list(let words): words
                }
            return words.first?.hasPrefix("/") == true && !words.contains { $0.contains("\0") } ? words : nil
        }
    }
}

extension Setting<String> {
    /// A setting that is one of several words.
    package init(_ name: String, among words: [String]) {
        let (last, others) = (words.last ?? "", words.dropLast().joined(separator: ", "))
        self.init(name, allowed: others.isEmpty ? last : "\(others) or \(last)") { words.contains($0) ? $0 : nil }
    }
}

extension Setting<Bool> {
    /// A setting that is on or off.
    package init(switch name: String) {
        self.init(name, allowed: "on or off") { ["on": true, "true": true, "off": false, "false": false][$0] }
    }
}
