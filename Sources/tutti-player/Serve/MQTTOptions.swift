import ArgumentParser
import Logging
import TuttiControl
import TuttiHost
import TuttiLogging
import TuttiSender

/// How a service is shown to an MQTT broker.
struct MQTTOptions {
    /// What the program is told, without what depends on the service.
    private var arguments: [String]

    /// What the settings say.
    ///
    /// - Returns: nil if they say nothing of MQTT.
    /// - Throws: `ProgramFailure` with exit status 2 for what does not go together.
    init?(_ settings: PlayerSettings, log: LogOptions) throws {
        arguments = ["--log-level", log.level.rawValue, "--log-format", log.format.rawValue]
        for (option, setting) in [
            ("--ca-file", MQTTSetting.authorities), ("--cert-file", MQTTSetting.certificate),
            ("--key-file", MQTTSetting.key), ("--username", MQTTSetting.user),
            ("--password-file", MQTTSetting.passwordFile), ("--prefix", MQTTSetting.prefix),
            ("--discovery-prefix", MQTTSetting.discoveryPrefix),
        ] {
            if let value = try settings.value(setting) { arguments += [option, value] }
        }
        if let port = try settings.value(MQTTSetting.port) { arguments += ["--port", "\(port)"] }
        if let tls = try settings.value(MQTTSetting.tls) { arguments += ["--tls", tls ? "on" : "off"] }
        guard let host = try settings.value(MQTTSetting.host) else {
            // Besides what is logged, and how.
            guard arguments.count == 4 else { throw ValidationError("mqtt.host is missing in tutti.yaml") }
            return nil
        }
        if try settings.value(MQTTSetting.tls) == false || settings.value(MQTTSetting.tls) == nil,
            try settings.value(MQTTSetting.authorities) != nil || settings.value(MQTTSetting.certificate) != nil
        {
            throw ValidationError("mqtt.ca-file and mqtt.cert-file in tutti.yaml need mqtt.tls: on")
        }
        guard try (settings.value(MQTTSetting.certificate) == nil) == (settings.value(MQTTSetting.key) == nil) else {
            throw ValidationError("mqtt.cert-file and mqtt.key-file in tutti.yaml need each other")
        }
        guard try settings.value(MQTTSetting.passwordFile) == nil || settings.value(MQTTSetting.user) != nil else {
            throw ValidationError("mqtt.password-file in tutti.yaml needs mqtt.username")
        }
        arguments += ["--host", host]
    }

    /// The program that does it for a service.
    ///
    /// - Parameter node: what tells this service from others of the broker, the same at each start.
    func program(_ node: String, _ paths: StatePaths, _ logger: Logger) -> SupervisedProgram {
        SupervisedProgram(
            name: "tutti-mqtt",
            arguments: [
                SiblingProgram.mqtt.path, "--child", "--socket", ControlServer.path(in: paths.runtimeDirectory),
                "--node", node,
            ] + arguments, purpose: "MQTT", logger: logger)
    }
}
