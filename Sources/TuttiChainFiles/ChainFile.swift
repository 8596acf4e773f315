import Foundation
package import TuttiChain

/// Files with chains of effects: our own, and those of programs that measure rooms.
package enum ChainFile {
    /// Reads a file. Its impulse responses have the names that stand in it.
    ///
    /// - Throws: what is wrong with the file or in it.
    package static func read(_ path: String) throws(ChainError) -> EffectChain {
        let data = try data(ofFile: path)
        guard data.count <= ChainImport.maximumSize else {
            throw .syntax(line: 0, "\(path): longer than \(ChainImport.maximumSize >> 10) KiB, and no chain")
        }
        do throws(ChainError) {
            return try ChainImport(parsing: String(decoding: data, as: UTF8.self)).chain
        } catch {
            throw .syntax(line: 0, "\(path): \(error)")
        }
    }

    /// Reads a file as `read` does, and makes the paths of its impulse responses whole: they start from its folder.
    ///
    /// - Throws: what is wrong with the file or in it.
    package static func readWithPaths(_ path: String) throws(ChainError) -> EffectChain {
        let chain = try read(path)
        let folder = (path as NSString).deletingLastPathComponent
        return chain.renamingImpulses(paths(chain.impulses, from: folder.isEmpty ? "." : folder))
    }

    /// Paths, each with the whole path that it is from `folder`.
    package static func paths(_ paths: [String], from folder: String) -> [String: String] {
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        return Dictionary(
            paths.map { ($0, URL(fileURLWithPath: $0, relativeTo: base).standardizedFileURL.path) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether a file is a text that is meant as a chain, right or wrong. Everything else may be an impulse response:
    /// sound, and texts of numbers.
    ///
    /// - Throws: why it cannot be read.
    package static func isChain(_ path: String) throws(ChainError) -> Bool {
        let data = try data(ofFile: path)
        guard data.count <= ChainImport.maximumSize, !data.contains(0) else { return false }
        if ChainImport.detect(String(decoding: data, as: UTF8.self)) != nil { return true }
        let mayBeNumbers = path.hasSuffix(".txt") || path.hasSuffix(".csv")
        return !mayBeNumbers && String(validating: data, as: UTF8.self) != nil
    }

    /// The bytes of a file; of one that is too long for a chain, a byte more than a chain may have.
    private static func data(ofFile path: String) throws(ChainError) -> Data {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .syntax(line: 0, "\(path): no such file, or it cannot be read")
        }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: ChainImport.maximumSize + 1) else {
            throw .syntax(line: 0, "\(path): cannot be read")
        }
        return data
    }
}
