import ArgumentParser
import Logging
import TuttiControl
import TuttiHost
import TuttiLogging
import TuttiSender

/// How a service is served to clients of MPD.
struct MPDOptions {
    /// Where, if it is only turned on.
    private static let usualAddress = "127.0.0.1:6600"

    /// What the program is told, without what depends on the service.
    private let arguments: [String]

    /// What an option and the settings say.
    ///
    /// - Parameter flag: `ADDRESS:PORT`, `on` or `off`; nil for what the settings say.
    /// - Returns: nil if it is off, as it is if they say nothing.
    /// - Throws: an error with exit status 2 for an address that others can reach, without a password.
    init?(_ settings: PlayerSettings, flag: String?, log: LogOptions) throws {
        let passwordFile = try settings.value(MPDSetting.passwordFile)
        let group = try settings.value(MPDSetting.group)
        var address = try settings.value(MPDSetting.address, flag: flag) ?? "off"
        if address == "off" { return nil }
        if address == "on" { address = Self.usualAddress }
        guard let place = ListenAddress.parse(address) else { return nil }
        guard passwordFile != nil || ListenAddress.isLocal(place.address) else {
            throw ValidationError(
                "other hosts can reach \(address): MPD's protocol needs mpd.password-file in tutti.yaml there")
        }
        var arguments = [
            "--listen", address, "--log-level", log.level.rawValue, "--log-format", log.format.rawValue,
        ]
        if let passwordFile { arguments += ["--password-file", passwordFile] }
        if let group { arguments += ["--group", group] }
        self.arguments = arguments
    }

    /// The program that does it for a service.
    func program(_ paths: StatePaths, _ logger: Logger) -> SupervisedProgram {
        SupervisedProgram(
            name: "tutti-mpd",
            arguments: [
                SiblingProgram.mpd.path, "--child", "--socket", ControlServer.path(in: paths.runtimeDirectory),
            ] + arguments, purpose: "MPD's protocol", logger: logger)
    }
}
