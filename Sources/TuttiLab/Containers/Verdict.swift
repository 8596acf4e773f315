/// What a test across containers found.
package struct Verdict: Sendable, Equatable {
    /// What should be.
    package var name: String
    /// What was measured.
    package var figures: String
    /// What should not be.
    package var faults: [String]

    package init(_ name: String, figures: String = "", faults: [String] = []) {
        self.name = name
        self.figures = figures
        self.faults = faults
    }

    /// Whether all is as it should be.
    package var hasPassed: Bool { faults.isEmpty }

    /// One line, and one for each fault.
    package var text: String {
        let head = "\(hasPassed ? "ok    " : "FAILED")  \(name)\(figures.isEmpty ? "" : ": \(figures)")"
        return ([head] + faults.map { "        \($0)" }).joined(separator: "\n")
    }
}
