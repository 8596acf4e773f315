import TuttiSettings

/// The settings under `mqtt:`.
enum MQTTSetting {
    static let host = Setting("mqtt.host", allowed: "the name or the address of a broker") {
        $0.isEmpty || $0.contains(" ") || $0.contains("/") ? nil : $0
    }
    static let port = Setting("mqtt.port", allowed: "a number from 1 to 65535") {
        Int($0).flatMap { (1...65_535).contains($0) ? $0 : nil }
    }
    static let tls = Setting(switch: "mqtt.tls")
    static let authorities = file("mqtt.ca-file")
    static let certificate = file("mqtt.cert-file")
    static let key = file("mqtt.key-file")
    static let user = Setting("mqtt.username", allowed: "a user's name") { $0.isEmpty ? nil : $0 }
    static let passwordFile = Setting(
        "mqtt.password-file", allowed: "the absolute path of a file, or the name of a credential of systemd"
    ) { $0.hasPrefix("/") || !$0.isEmpty && !$0.contains("/") ? $0 : nil }
    static let prefix = topic("mqtt.prefix")
    static let discoveryPrefix = topic("mqtt.discovery-prefix")

    static let rules = [
        host.rule, port.rule, tls.rule, authorities.rule, certificate.rule, key.rule, user.rule, passwordFile.rule,
        prefix.rule, discoveryPrefix.rule,
    ]

    private static func file(_ name: String) -> Setting<String> {
        Setting(name, allowed: "the absolute path of a PEM file") { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func topic(_ name: String) -> Setting<String> {
        Setting(name, allowed: "letters, digits, - and _ of ASCII, with / between levels") { text in
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            let isPlain = text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || [0x2D, 0x2F, 0x5F].contains($0)
            }
            return isPlain && text.utf8.count <= 128 && !levels.contains("") ? text : nil
        }
    }
}
