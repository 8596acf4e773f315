import Configuration
import Glibc
import Logging
import SystemPackage
import TuttiHost
import TuttiSpeaker

/// Flags, environment and configuration file brought together: flag > environment > file > default.
struct Settings {
    let speaker: SpeakerConfiguration
    let logLevel: Logger.Level

    /// - Throws: `SettingsError` (exit status 2) naming the setting and what is allowed.
    init(flags: SpeakerOptions) async throws {
        let paths = StatePaths(environment: ProcessEnvironment.current, stateDirectory: flags.stateDir)
        let reader = try await Self.reader(file: flags.config, paths: paths)

        func text(_ key: String) -> String? { reader.string(forKey: ConfigKey(stringLiteral: key)) }

        let name = flags.name ?? text("name") ?? Self.hostName()
        guard !name.isEmpty, name.utf8.count <= 63 else { throw SettingsError("name: 1 to 63 bytes of text") }
        let buffer = flags.buffer ?? text("buffer") ?? "5m"
        guard let seconds = Self.seconds(buffer), (1...3_600).contains(seconds) else {
            throw SettingsError("buffer: \(buffer) is not a duration from 1s to 1h, like 30s, 5m or 1h")
        }
        let port = try flags.port ?? Self.port(text("port")) ?? 7_700
        let delay = try flags.outputDelay ?? Self.delay(text("output-delay"))
        if let delay, !(-5_000...5_000).contains(delay) {
            throw SettingsError("output-delay: \(delay) is not between -5000 and 5000 ms")
        }
        let correction = flags.correction ?? text("correction") ?? "on"
        guard ["on", "off"].contains(correction) else {
            throw SettingsError("correction: \(correction) is neither on nor off")
        }
        let mdns = text("mdns") ?? "on"
        guard ["on", "off", "true", "false"].contains(mdns) else {
            throw SettingsError("mdns: \(mdns) is neither on nor off")
        }
        let level = flags.logLevel ?? text("log-level") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw SettingsError("log-level: \(level) is none of trace, debug, info, notice, warning, error")
        }
        self.logLevel = logLevel
        speaker = SpeakerConfiguration(
            name: name, device: flags.device ?? text("device") ?? "default", port: port,
            bindAddress: text("address"), stateDirectory: text("state-dir") ?? paths.stateDirectory,
            bufferSeconds: seconds, outputDelayMilliseconds: delay,
            announces: !flags.noMdns && ["on", "true"].contains(mdns), correctsDrift: correction == "on")
    }

    private static func reader(file: String?, paths: StatePaths) async throws -> ConfigReader {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "tutti")
        let candidates = file.map { [$0] } ?? paths.configDirectories.map { $0 + "/speaker.yaml" }
        for path in candidates {
            guard file != nil || access(path, F_OK) == 0 else { continue }
            do {
                let provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
                return ConfigReader(providers: [environment, provider])
            } catch {
                throw SettingsError("cannot use the configuration in \(path): \(Self.oneLine(error))")
            }
        }
        return ConfigReader(providers: [environment])
    }

    /// The first line of an error of the configuration library, whose parser draws the place below it.
    private static func oneLine(_ error: any Error) -> String {
        let lines = String(describing: error).split(separator: "\n")
        return lines.prefix(2).joined(separator: " ")
    }

    private static func port(_ text: String?) throws -> UInt16? {
        guard let text else { return nil }
        guard let port = UInt16(text) else { throw SettingsError("port: \(text) is not a number from 0 to 65535") }
        return port
    }

    private static func delay(_ text: String?) throws -> Double? {
        guard let text else { return nil }
        guard let delay = Double(text), delay.isFinite else {
            throw SettingsError("output-delay: \(text) is not a number of ms")
        }
        return delay
    }

    private static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        guard let last = text.last else { return nil }
        if let unit = units[last] { return Double(text.dropLast()).map { $0 * unit } }
        return Double(text)
    }

    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "speaker" }
        let bytes = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
