import Foundation

/// The programs that were built with these tests.
enum Programs {
    /// Where they lie: beside the tests.
    static let folder: String = {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [path, CommandLine.arguments.first].compactMap(\.self).map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        let tests = CommandLine.arguments.compactMap { argument in
            argument.hasSuffix(".xctest") ? URL(fileURLWithPath: argument).deletingLastPathComponent().path : nil
        }
        let isThere = { (folder: String) in FileManager.default.isExecutableFile(atPath: folder + "/tutti-player") }
        return (tests + candidates).first(where: isThere) ?? ".build/debug"
    }()
}
