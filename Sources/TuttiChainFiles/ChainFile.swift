import Foundation
package import TuttiChain

/// Files with chains of effects: our own, and those of programs that measure rooms.
package enum ChainFile {
    /// Reads a file. Its impulse responses have the names that stand in it.
    ///
    /// - Throws: what is wrong with the file or in it.
    package static func read(_ path: String) throws(ChainError) -> EffectChain {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .syntax(line: 0, "\(path): no such file, or it cannot be read")
        }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: ChainImport.maximumSize + 1) else {
            throw .syntax(line: 0, "\(path): cannot be read")
        }
        guard data.count <= ChainImport.maximumSize else {
            throw .syntax(line: 0, "\(path): longer than \(ChainImport.maximumSize >> 10) KiB, and no chain")
        }
        do throws(ChainError) {
            return try ChainImport(parsing: String(decoding: data, as: UTF8.self)).chain
        } catch {
            throw .syntax(line: 0, "\(path): \(error)")
        }
    }
}
