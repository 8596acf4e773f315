import Logging
import TuttiHost
import TuttiLogging
import TuttiOutput
import TuttiSettings
import TuttiSpeaker

/// The settings of a speaker, from its file, the environment and the command line.
enum SpeakerSetting {
    static let name = Setting("name", allowed: "1 to 63 bytes of text") {
        (1...63).contains($0.utf8.count) ? $0 : nil
    }
    static let device = Setting(
        "device", allowed: "an ALSA PCM, file:PATH.wav or null; `tutti-speaker devices` lists the outputs"
    ) {
        OutputDevices.isDefined($0) ? $0 : nil
    }
    static let outputs = Setting(
        linesOf: "outputs",
        allowed:
            "a list of at most \(SpeakerOutput.most) different rooms, each NAME=DEVICE, and no two on one channel of a card"
    ) {
        SpeakerOutput.all($0) != nil
    }
    static let port = Setting("port", allowed: "a number from 0 to 65535") { UInt16($0) }
    static let address = Setting("address", allowed: "an address of this host") { $0.isEmpty ? nil : $0 }
    static let buffer = Setting("buffer", allowed: "a time from 1s to 1h, such as 30s, 5m or 1h", parse: seconds)
    static let outputDelay = Setting("output-delay", allowed: "a number of ms from -5000 to 5000") {
        Double($0).flatMap { (-5_000...5_000).contains($0) ? $0 : nil }
    }
    static let releaseAfter = Setting<DeviceUse.Release>(
        "release-after", allowed: "a time from 1s to 1h, such as 30s or 10m, or never"
    ) {
        $0 == "never" ? .never : seconds($0).map { .after(Int64($0 * 1e9)) }
    }
    static let mixer = Setting(
        "mixer", allowed: "software, none, hardware or hardware:ELEMENT[@CARD], such as hardware:Digital@hw:1"
    ) {
        MixerChoice(parsing: $0)
    }
    static let maxVolume = Setting("max-volume", allowed: "a volume from 0 to 100") {
        Double($0).flatMap { (0...100).contains($0) ? $0 : nil }
    }
    static let correction = Setting<Bool>(switch: "correction")
    static let clock = Setting<String>("clock", among: ["own", "system"])
    static let hardwareStamps = Setting<String>("hardware-stamps", among: HardwareStampUse.allCases.map(\.rawValue))
    static let claim = Setting<String>("claim", among: ClaimPolicy.allCases.map(\.rawValue))
    static let mdns = Setting<Bool>(switch: "mdns")
    static let announceName = Setting<Bool>(switch: "announce-name")
    static let metrics = Setting("metrics", allowed: "ADDRESS:PORT, such as 127.0.0.1:7790") {
        ListenAddress.parse($0)
    }
    static let logLevel = Setting("log-level", allowed: "trace, debug, info, notice, warning or error") {
        Logger.Level(rawValue: $0)
    }
    static let logFormat = Setting("log-format", allowed: "text or json") { LogOptions.Format(rawValue: $0) }
    static let stateDirectory = Setting("state-dir", allowed: "the absolute path of a folder") {
        $0.hasPrefix("/") ? $0 : nil
    }

    /// All there are.
    static let rules = [
        name.rule, device.rule, outputs.rule, port.rule, address.rule, buffer.rule, outputDelay.rule, releaseAfter.rule,
        maxVolume.rule, mixer.rule, correction.rule, clock.rule, hardwareStamps.rule, claim.rule, mdns.rule,
        announceName.rule, metrics.rule, logLevel.rule, logFormat.rule, stateDirectory.rule,
    ]

    @Sendable
    private static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        let unit = text.last.flatMap { units[$0] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let seconds = number.map({ $0 * (unit ?? 1) }), (1...3_600).contains(seconds) else { return nil }
        return seconds
    }
}
