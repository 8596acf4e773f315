import Foundation
import Synchronization

/// A folder that is there for as long as this object.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "tutti-store-\(UUID().uuidString)").path

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    func write(_ name: String, _ content: String) throws {
        try Data(content.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) }

    func read(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }
}

/// Lines that were said.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
