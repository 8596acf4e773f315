import Foundation
import RegexBuilder

/// The targets of this package and the arrows between them: as the manifest declares them, and as the sources import.
struct PackageGraph {
    /// The folders of `Sources`.
    let targets: [String]
    /// What a target's files import, of this package and of others.
    let imports: [String: Set<String>]
    /// What the manifest says that a target depends on.
    let declared: [String: Set<String>]
    /// The layers of `docs/architecture.md` from the top, each with its targets.
    let layers: [(name: String, targets: [String])]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let page = root.appending(path: "docs/architecture.md")

    init() throws {
        let sources = Self.root.appending(path: "Sources")
        let names = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
        targets = names
        imports = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Self.imports(in: sources.appending(path: $0))) })
        let manifest = try Self.text("Package.swift").replacing(/\/\/.*/, with: "")
        let modules = Self.modules(manifest)
        declared = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.declared($0, in: manifest, modules)) })
        layers = Self.layers(try String(contentsOf: Self.page, encoding: .utf8))
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func imports(in folder: URL) throws -> Set<String> {
        let statement = /^\s*(?:@\w+\s+)*(?:public |package |internal )?import (?:\w+ )?(\w+)/.anchorsMatchLineEndings()
        var found: Set<String> = []
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        // The code of a tutorial is no part of its target.
        for case let file as URL in files ?? .init()
        where file.pathExtension == "swift" && !file.path.contains(".docc/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            found.formUnion(text.matches(of: statement).map { String($0.output.1) })
        }
        return found
    }

    /// The constants of the manifest that stand for other packages' modules.
    private static func modules(_ manifest: String) -> [String: String] {
        let constant = /let (\w+): Target\.Dependency = \.product\(name: "(\w+)"/
        return Dictionary(
            manifest.matches(of: constant).map { (String($0.output.1), String($0.output.2)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What stands between the parentheses of the call that makes `target`.
    private static func declared(_ target: String, in manifest: String, _ modules: [String: String]) -> Set<String> {
        let opening = manifest.firstRange(
            of: Regex {
                ChoiceOf {
                    "library("
                    "program("
                }
                ZeroOrMore(.whitespace)
                "\"" + target + "\""
            })
        guard let opening else { return [] }
        var depth = 1
        let arguments = manifest[opening.upperBound...].prefix {
            depth += $0 == "(" ? 1 : $0 == ")" ? -1 : 0
            return depth > 0
        }
        let strings = arguments.matches(of: /"([\w-]+)"/).map { String($0.output.1) }
        let words = arguments.matches(of: /\b[a-z]\w+\b/).compactMap { modules[String($0.output)] }
        return Set(strings + words)
    }

    /// Rows of the table of targets: a layer that is not named is that of the row above.
    private static func layers(_ page: String) -> [(name: String, targets: [String])] {
        var found: [(name: String, targets: [String])] = []
        let table = page.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != "| layer | target | contents |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        for row in table {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 3 else { continue }
            if !cells[1].isEmpty { found.append((cells[1], [])) }
            let names = cells[2].matches(of: /`([\w-]+)`/).map { String($0.output.1) }
            if !found.isEmpty { found[found.count - 1].targets += names }
        }
        return found
    }

    /// The place of a target's layer, 0 at the top; nil for a target that no layer has.
    func layer(of target: String) -> Int? { layers.firstIndex { $0.targets.contains(target) } }

    /// The targets of this package that `target` imports.
    func arrows(from target: String) -> Set<String> { (imports[target] ?? []).intersection(targets) }

    /// Whether `target` comes to `other` by one arrow or several.
    func reaches(_ target: String, _ other: String) -> Bool {
        var (seen, open): (Set<String>, [String]) = ([], [target])
        while let next = open.popLast() {
            for arrow in arrows(from: next) where seen.insert(arrow).inserted { open.append(arrow) }
        }
        return seen.contains(other)
    }
}
