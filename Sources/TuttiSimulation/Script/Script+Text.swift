extension Script: CustomStringConvertible {
    /// The script as a file. Reading it gives the same script.
    package var description: String {
        var lines = ["seed \(seed)"]
        if let duration { lines.append("duration \(TimeText.text(duration))") }
        if let rooms { lines.append("rooms \(rooms.joined(separator: " "))") }
        return (lines + steps.map(\.description)).map { $0 + "\n" }.joined()
    }

    /// Reads a script: a line for each step, in order of time, before them what it says of the run; `#` begins a
    /// remark.
    ///
    /// - Parameters:
    ///   - file: its name, for messages.
    ///   - scenario: the house that it is for, which has all that it names, and the seed if it has none of its own.
    /// - Throws: `SimulationError.malformed` for the first line that is wrong.
    package init(_ text: String, file: String, scenario: Scenario) throws(SimulationError) {
        var reader = ScriptReader(scenario)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do {
                try reader.read(line.prefix { $0 != "#" && $0 != "\r" })
            } catch {
                throw .malformed(file: file, line: index + 1, error.message)
            }
        }
        self = reader.script
    }
}
