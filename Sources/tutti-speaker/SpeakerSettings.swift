import ArgumentParser
import Glibc
import Logging
import TuttiHost
import TuttiLogging
import TuttiOutput
import TuttiSettings
import TuttiSpeaker

/// Flags, environment and file brought together: flag > environment > file > default.
struct SpeakerSettings {
    /// All speakers of the program, one at least.
    let speakers: [SpeakerConfiguration]
    let log: LogOptions
    let hardwareStamps: HardwareStampUse
    let usesSystemClock: Bool

    /// The settings of a program that ends where they are wrong.
    ///
    /// - Parameter isForService: whether the speaker that is meant is this host's service, unless a folder is named.
    /// - Throws: `ExitCode` 2, once it has been said what is.
    static func told(by flags: SpeakerOptions, isForService: Bool = false) throws -> SpeakerSettings {
        do {
            return try SpeakerSettings(flags: flags, isForService: isForService)
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode(2)
        }
    }

    /// - Throws: `SettingsError` naming the place, the setting and what is allowed.
    init(flags: SpeakerOptions, isForService: Bool) throws(SettingsError) {
        let environment = ProcessEnvironment.current
        let layers = try SettingsLayers(
            files: try Self.files(flags.config, environment: environment), environment: environment,
            rules: SpeakerSetting.rules)
        let stateDirectory =
            try layers.value(SpeakerSetting.stateDirectory)
            ?? (isForService ? Self.serviceDirectory(environment) : nil)
        let paths = StatePaths(environment: environment, stateDirectory: flags.stateDir ?? stateDirectory)
        let port = try layers.value(SpeakerSetting.port)
        let announces = try layers.value(SpeakerSetting.mdns) ?? true
        usesSystemClock = try layers.value(SpeakerSetting.clock, flag: flags.clock) == "system"
        hardwareStamps =
            try layers.value(SpeakerSetting.hardwareStamps, flag: flags.hardwareStamps)
            .flatMap(HardwareStampUse.init) ?? .auto
        log = LogOptions(
            level: try layers.value(SpeakerSetting.logLevel, flag: flags.logLevel) ?? .info,
            format: try layers.value(SpeakerSetting.logFormat, flag: flags.logFormat) ?? .text)
        var speaker = SpeakerConfiguration(
            name: try layers.value(SpeakerSetting.name, flag: flags.name) ?? Self.hostName(),
            device: try layers.value(SpeakerSetting.device, flag: flags.device) ?? "default",
            port: flags.port ?? port ?? 7_700,
            bindAddress: try layers.value(SpeakerSetting.address), stateDirectory: paths.stateDirectory,
            bufferSeconds: try layers.value(SpeakerSetting.buffer, flag: flags.buffer) ?? 300,
            outputDelayMilliseconds: try layers.value(
                SpeakerSetting.outputDelay, flag: flags.outputDelay.map { "\($0)" }),
            announces: announces && !flags.noMdns,
            correctsDrift: try layers.value(SpeakerSetting.correction, flag: flags.correction) ?? true)
        let claim = try layers.value(SpeakerSetting.claim, flag: flags.open ? "open" : flags.claim)
        let announcesName = try layers.value(SpeakerSetting.announceName) ?? true
        speaker.announcesName = announcesName && !flags.hideName
        speaker.claim = claim.flatMap(ClaimPolicy.init) ?? .first
        speaker.release = try layers.value(SpeakerSetting.releaseAfter, flag: flags.releaseAfter) ?? .afterSenders
        speaker.mixer = try layers.value(SpeakerSetting.mixer, flag: flags.mixer) ?? .software
        speaker.maxVolume = try layers.value(SpeakerSetting.maxVolume, flag: flags.maxVolume.map { "\($0)" }) ?? 100
        speaker.metrics = try layers.value(SpeakerSetting.metrics, flag: flags.metrics)
        let outputs = try layers.value(SpeakerSetting.outputs, flags: flags.output).flatMap(SpeakerOutput.all) ?? []
        speakers = outputs.isEmpty ? [speaker] : outputs.enumerated().map { speaker.on($1, number: $0) }
    }

    /// Where the packaged service keeps its state, for root, whose own speaker would have another folder.
    private static func serviceDirectory(_ environment: [String: String]) -> String? {
        let path = "/var/lib/tutti-speaker"
        let isChosen = ["TUTTI_STATE_DIR", "STATE_DIRECTORY", "XDG_STATE_HOME"].contains { environment[$0] != nil }
        return getuid() == 0 && !isChosen && access(path + "/node-key.pem", F_OK) == 0 ? path : nil
    }

    /// The file that was asked for, which must be there, or else the first one that is.
    private static func files(
        _ path: String?, environment: [String: String]
    ) throws(SettingsError) -> [SettingsFile] {
        if let path {
            guard let file = try SettingsFile.read(path) else {
                throw .unreadable(path: path, reason: HostError.text(ofErrno: ENOENT))
            }
            return [file]
        }
        for directory in StatePaths(environment: environment).configDirectories {
            if let file = try SettingsFile.read(directory + "/speaker.yaml") { return [file] }
        }
        return []
    }

    /// Its first label.
    private static func hostName() -> String {
        let label = (HostName.own ?? "").utf8.prefix { $0 != UInt8(ascii: ".") }
        let name = String(decoding: label.prefix(63), as: UTF8.self)
        return name.isEmpty ? "speaker" : name
    }
}

extension SpeakerConfiguration {
    /// The speaker of one of several outputs: its ports come after those of the outputs before it.
    fileprivate func on(_ output: SpeakerOutput, number: Int) -> SpeakerConfiguration {
        var speaker = self
        (speaker.name, speaker.device) = (output.name, output.device)
        speaker.stateDirectory = stateDirectory + "/" + output.folder
        speaker.port = port == 0 ? 0 : UInt16(clamping: Int(port) + number)
        speaker.metrics = metrics.map { ($0.address, $0.port == 0 ? 0 : min($0.port + number, 65_535)) }
        return speaker
    }
}
