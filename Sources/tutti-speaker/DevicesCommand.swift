import ArgumentParser
import TuttiOutput

/// `tutti-speaker devices`.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Lists the outputs that --device accepts on this machine.")

    func run() throws {
        let devices = OutputDevices.list()
        let width = devices.map(\.name.count).max() ?? 0
        for device in devices {
            print(device.name.padded(to: max(width, 20)) + "  " + device.description)
        }
    }
}

extension String {
    /// The text, followed by spaces up to `width` characters.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
