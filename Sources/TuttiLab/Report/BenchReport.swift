import Foundation

/// Tables and pictures of a bench's results.
package struct BenchReport: Sendable {
    /// The lines of a page between which the tables are.
    package static let begin = "<!-- bench: begin -->"
    package static let end = "<!-- bench: end -->"

    let cases: [(bench: BenchCase, tutti: CaseSummary?, snapcast: CaseSummary?)]

    /// A report of all results that belong to cases of the bench.
    package init(results: [BenchResult]) {
        cases = BenchCase.all.compactMap { bench in
            let tutti = CaseSummary(bench, isTutti: true, of: results)
            let snapcast = CaseSummary(bench, isTutti: false, of: results)
            return tutti == nil && snapcast == nil ? nil : (bench, tutti, snapcast)
        }
    }

    /// Writes `benchmarks.md`, `figures/CASE.svg` and `figures/scale.svg` into a folder. Of a page that is there only
    /// what lies between `begin` and `end` is written anew.
    package func write(to folder: String) throws(LabError) {
        let figures = "\(folder)/figures"
        let page = "\(folder)/benchmarks.md"
        do {
            try FileManager.default.createDirectory(atPath: figures, withIntermediateDirectories: true)
            for entry in cases {
                guard let tutti = entry.tutti,
                    let picture = CaseFigure(tutti: tutti, snapcast: entry.snapcast).picture
                else { continue }
                try Data(picture.utf8).write(to: URL(fileURLWithPath: "\(figures)/\(entry.bench.name).svg"))
            }
            if let scalePicture {
                try Data(scalePicture.utf8).write(to: URL(fileURLWithPath: "\(figures)/scale.svg"))
            }
            let old = try? String(contentsOfFile: page, encoding: .utf8)
            try Data(Self.page(old, with: markdown).utf8).write(to: URL(fileURLWithPath: page), options: .atomic)
        } catch {
            throw .runFailed("cannot write in \(folder): \(error.localizedDescription)")
        }
    }

    /// A page with the tables in their place.
    package static func page(_ old: String?, with tables: String) -> String {
        let part = "\(begin)\n\(tables)\n\(end)\n"
        guard let old, let first = old.range(of: begin), let last = old.range(of: end + "\n"),
            first.upperBound <= last.lowerBound
        else { return (old.map { $0 + "\n" } ?? "# Benchmarks\n\n") + part }
        return old[..<first.lowerBound] + part + old[last.upperBound...]
    }
}
