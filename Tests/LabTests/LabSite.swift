import Foundation
import Testing
import TuttiLab

/// Where this test bundle's lab is: the binaries beside the bundle, the card in the checkout.
enum LabSite {
    /// Folder of the programs that were built with the tests.
    static let binaries: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().path
    }()

    private static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let programs = LabPrograms(
        binaries: binaries, cardPlugin: checkout.appending(path: "Tests/Lab/card/\(LabPrograms.pluginName)").path)

    /// A folder for the recordings of one test, kept for whoever wants to know why it failed.
    static func folder(_ name: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-lab-tests/\(name)")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    /// Whether hosts can be brought up here, and why not.
    static let network = Need(LabHosts.unavailability)

    /// Whether rooms with cards can be brought up here too, and why not. (The programs are no part of it: without them
    /// the tests fail.)
    static let rooms: Need = {
        if let unavailability = LabHosts.unavailability { return Need(unavailability) }
        if !Tool.isInstalled("flac") { return Need(.missingTool("flac")) }
        return Need(programs.missingCard)
    }()

    /// Whether songs can be written as FLAC, and why not.
    static let flac = Need(Tool.isInstalled("flac") ? nil : .missingTool("flac"))

    /// Whether files of any kind can be written, and why not.
    static let ffmpeg = Need(Tool.isInstalled("ffmpeg") ? nil : .missingTool("ffmpeg"))

    /// Whether rooms with cards can be had on this host's own network, and why not.
    static let cards: Need = {
        if !Tool.isInstalled("flac") { return Need(.missingTool("flac")) }
        return Need(programs.missingCard)
    }()

    /// Whether a daemon that makes rooms known can be run in a namespace of its own, and why not.
    static let discovery: Need = {
        if let unavailability = LabHosts.unavailability { return Need(unavailability) }
        let missing = ["flac", "unshare", "dbus-daemon", "avahi-daemon"].first { !Tool.isInstalled($0) }
        return Need(missing.map { .missingTool($0) })
    }()

    /// Something that a test needs of this machine.
    struct Need: Sendable {
        let isMet: Bool
        let comment: Comment

        init(_ lack: LabError?) {
            isMet = lack == nil
            comment = Comment(rawValue: "SKIPPED: \(lack?.description ?? "")")
        }
    }
}
