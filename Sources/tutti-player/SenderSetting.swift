import Logging
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiLogging
import TuttiProduction
import TuttiRooms
import TuttiSender
import TuttiSettings

/// The settings of `tutti` and its service, from files and the environment.
enum SenderSetting {
    static let rooms = Setting(listOf: "rooms", allowed: addresses, accepts: isRoom)
    static let groups = Setting(listOf: "groups.*", allowed: addresses, accepts: isRoom)
    static let group = Setting("group", allowed: "a group's name") { $0.isEmpty ? nil : $0 }
    static let codec = Setting<String>(
        "codec", among: [EncodingOptions.originalName] + EncodingOptions.codecs.map(\.rawValue))
    static let bitrate = Setting("bitrate", allowed: "a number of kb/s from 64 to 320") {
        Int($0).flatMap { (64...320).contains($0) ? $0 : nil }
    }
    static let crossfade = Setting("crossfade", allowed: "a number of seconds from 0 to 12") {
        (try? CrossfadeCommand.parse($0)) == nil ? nil : $0
    }
    static let normalise = Setting<String>("normalise", among: LoudnessNormalization.allCases.map(\.rawValue))
    static let clock = Setting<String>("clock", among: ["own", "system"])
    static let hardwareStamps = Setting<String>("hardware-stamps", among: HardwareStampUse.allCases.map(\.rawValue))
    static let open = Setting("open", allowed: "true or false") { Bool($0) }
    static let http = Setting("http", allowed: "ADDRESS:PORT, such as 127.0.0.1:7780, or off") {
        $0 == "off" || ListenAddress.parse($0) != nil ? $0 : nil
    }
    static let httpCertificate = Setting("http-certificate", allowed: "a PEM file") { $0.isEmpty ? nil : $0 }
    static let httpKey = Setting("http-key", allowed: "a PEM file") { $0.isEmpty ? nil : $0 }
    static let library = Setting(listOf: "library", allowed: "a list of folders, each an absolute path") {
        $0.hasPrefix("/")
    }
    static let hooks = HookPlan.Occasion.allCases.map { ($0, Setting(command: "hooks.\($0.rawValue)")) }
    static let idleAfter = Setting("idle-after", allowed: "a number of minutes from 1 to 1440") {
        Double($0).flatMap { (1...1_440).contains($0) ? $0 : nil }
    }
    static let logLevel = Setting("log-level", allowed: "trace, debug, info, notice, warning or error") {
        Logger.Level(rawValue: $0)
    }
    static let logFormat = Setting("log-format", allowed: "text or json") { LogOptions.Format(rawValue: $0) }

    /// All there are.
    static let rules =
        [
            rooms.rule, groups.rule, group.rule, codec.rule, bitrate.rule, crossfade.rule, normalise.rule,
            clock.rule, hardwareStamps.rule, open.rule, http.rule, httpCertificate.rule, httpKey.rule, idleAfter.rule,
            logLevel.rule, logFormat.rule, library.rule,
        ] + hooks.map(\.1.rule) + MQTTSetting.rules + MPDSetting.rules + InputSetting.rules

    private static let addresses = "a list of rooms: NAME, NAME@HOST or NAME@HOST:PORT"

    @Sendable
    private static func isRoom(_ text: String) -> Bool { (try? RoomAddress(parsing: text)) != nil }
}
