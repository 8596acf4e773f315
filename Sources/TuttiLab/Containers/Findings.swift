/// What a part of the tests across containers found.
struct Findings {
    var verdicts: [Verdict]
    /// What the recordings said in full.
    var tables: [String]

    init(_ verdicts: [Verdict], tables: [String] = []) {
        self.verdicts = verdicts
        self.tables = tables
    }

    /// Whether all is as it should be.
    var havePassed: Bool { verdicts.allSatisfy(\.hasPassed) }

    /// The tables, then a line or more for each verdict.
    var text: String { (tables.map { "\n\($0)\n" } + verdicts.map(\.text)).joined(separator: "\n") }
}
