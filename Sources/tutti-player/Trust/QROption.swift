import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiQR

/// Whether a code is shown beside a text that a person carries to another device.
struct QROption: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Show it as a QR code, too. (default: on a terminal that can show it)")
    var qr: Bool?

    /// Writes the code of `text`, if it is to be shown.
    func write(_ text: String) {
        let environment = ProcessEnvironment.current
        guard let picture = QRChoice.standardOutput.picture(of: text, wish: qr, environment: environment) else {
            return
        }
        Terminal.write(picture)
    }
}
