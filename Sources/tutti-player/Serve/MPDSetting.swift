import TuttiHost
import TuttiSettings

/// The settings under `mpd:`.
enum MPDSetting {
    static let address = Setting("mpd.address", allowed: "ADDRESS:PORT, such as 127.0.0.1:6600, on, or off") {
        ["on", "off"].contains($0) || ListenAddress.parse($0) != nil ? $0 : nil
    }
    static let passwordFile = Setting(
        "mpd.password-file", allowed: "the absolute path of a file, or the name of a credential of systemd"
    ) { $0.hasPrefix("/") || !$0.isEmpty && !$0.contains("/") ? $0 : nil }
    static let group = Setting("mpd.group", allowed: "a group's name") { $0.isEmpty ? nil : $0 }

    static let rules = [address.rule, passwordFile.rule, group.rule]
}
