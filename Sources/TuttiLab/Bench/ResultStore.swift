import Foundation

/// The results of a bench, a file of JSON for each case, system and seed, so that an interrupted bench can go on.
package struct ResultStore: Sendable {
    package var directory: String

    /// - Parameter directory: the bench's folder; results are in `results` in it.
    package init(directory: String) { self.directory = directory + "/results" }

    /// The name of a run: its file's, and its folder's. Of the system, its first word.
    package static func name(case name: String, system: String, seed: UInt64) -> String {
        "\(name)-\(system.prefix { $0 != " " })-\(seed)"
    }

    private func path(_ name: String) -> String { "\(directory)/\(name).json" }

    /// The result of an earlier run; nil when there is none or when it is of another format.
    package func result(case name: String, system: String, seed: UInt64) -> BenchResult? {
        read(path(Self.name(case: name, system: system, seed: seed)))
    }

    /// Keeps a result.
    package func keep(_ result: BenchResult) throws(LabError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let name = Self.name(case: result.name, system: result.system, seed: result.seed)
            try encoder.encode(result).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
        } catch {
            throw .runFailed("cannot write in \(directory): \(error.localizedDescription)")
        }
    }

    /// Everything that is there, by case, system and seed.
    package func all() -> [BenchResult] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted()
            .compactMap { read("\(directory)/\($0)") }
            .sorted { ($0.name, $0.system, $0.seed) < ($1.name, $1.system, $1.seed) }
    }

    private func read(_ path: String) -> BenchResult? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(BenchResult.self, from: $0) }
    }
}
