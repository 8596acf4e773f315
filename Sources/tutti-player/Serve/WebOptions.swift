import Logging
import TuttiControl
import TuttiHost
import TuttiLogging
import TuttiSender

/// How `tutti serve` serves HTTP.
struct WebOptions {
    /// Where, unless told otherwise.
    static let usualAddress = "127.0.0.1:7780"

    /// `ADDRESS:PORT`, or `off`.
    var address: String
    /// PEM files; nil for the certificate of this sender.
    var certificate: String?
    var key: String?
    var log: LogOptions

    /// The program that serves it for a service.
    ///
    /// - Returns: nil if HTTP is off.
    func program(_ paths: StatePaths, _ logger: Logger) -> SupervisedProgram? {
        guard address != "off" else { return nil }
        var arguments = [
            SiblingProgram.web.path, "--child", "--listen", address,
            "--socket", ControlServer.path(in: paths.runtimeDirectory), "--state-dir", paths.stateDirectory,
            "--log-level", log.level.rawValue, "--log-format", log.format.rawValue,
        ]
        if let certificate { arguments += ["--certificate", certificate] }
        if let key { arguments += ["--key", key] }
        return SupervisedProgram(name: "tutti-web", arguments: arguments, purpose: "HTTP", logger: logger)
    }
}
