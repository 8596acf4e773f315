import ArgumentParser
import Foundation
import TuttiLab

/// Where the commands that run programs find them.
struct LabOptions: ParsableArguments {
    @Option(help: "The folder with tutti and tutti-speaker. (default: this program's own)")
    var binaries: String?

    @Option(help: "The plugin of the virtual card, or its folder.")
    var card = "Tests/Lab/card"

    @Option(name: .shortAndLong, help: "The folder for recordings, logs and results.")
    var output = "lab-output"

    /// The programs, with absolute paths.
    func programs() -> LabPrograms {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = binaries.map(Self.absolute) ?? URL(fileURLWithPath: own).deletingLastPathComponent().path
        let plugin = Self.absolute(card)
        return LabPrograms(
            binaries: folder, cardPlugin: plugin.hasSuffix(".so") ? plugin : "\(plugin)/\(LabPrograms.pluginName)")
    }

    /// The output folder, made when it is not there.
    func outputFolder() throws -> String {
        let path = Self.absolute(output)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}

extension Encodable {
    /// As JSON for people to read.
    var prettyJSON: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
