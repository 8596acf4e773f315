import Foundation
package import TuttiChain

/// Files with chains of effects: our own, and those of programs that measure rooms.
package enum ChainFile {
    /// Bytes of the largest file that is read.
    private static let limit = 1 << 20

    /// Reads a file. Its impulse responses have the names that stand in it.
    ///
    /// - Throws: what is wrong with the file or in it.
    package static func read(_ path: String) throws(ChainError) -> EffectChain {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .syntax(line: 0, "\(path): no such file, or it cannot be read")
        }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: limit + 1) else {
            throw .syntax(line: 0, "\(path): cannot be read")
        }
        guard data.count <= limit else { throw .syntax(line: 0, "\(path): longer than 1 MiB, and no chain") }
        do throws(ChainError) {
            return try EffectChain(parsing: String(decoding: data, as: UTF8.self))
        } catch {
            throw .syntax(line: 0, "\(path): \(error)")
        }
    }
}
