import Foundation
import TestSupport

/// Seeds that once broke something in a simulated house and are not mended yet: a file of the tests, one seed a line. A
/// run that finds another one adds it, so whoever makes the next change sees it.
enum FoundSeeds {
    /// The file's name.
    static let name = "Tests/found-seeds.txt"

    private static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "found-seeds.txt").path

    /// All of them.
    static func all() throws -> [UInt64] {
        try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { UInt64($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// Adds one, unless it is there.
    static func add(_ seed: UInt64) {
        guard let known = try? all(), !known.contains(seed) else { return }
        TestNotes.append("\(seed)", toFileAt: path)
    }
}
