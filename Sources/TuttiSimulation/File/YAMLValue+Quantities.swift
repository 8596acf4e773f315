extension YAMLValue {
    /// A time of the range, in nanoseconds.
    func time(_ what: String, in range: ClosedRange<Int64>) throws(SimulationError) -> Int64 {
        try read(what) { (text) throws(SyntaxFault) in try TimeText.parse(text, in: range) }
    }

    /// Two times, the shorter one first: `8ms-40ms`, or one for both.
    func times(_ what: String, in range: ClosedRange<Int64>) throws(SimulationError) -> (Int64, Int64) {
        try read(what) { (text) throws(SyntaxFault) in
            let parts = text.split(separator: "-", maxSplits: 1)
            guard let first = parts.first, let last = parts.last else { throw SyntaxFault("'' is not a time") }
            let times = (try TimeText.parse(first), try TimeText.parse(last))
            guard times.0 <= times.1, range.contains(times.0), range.contains(times.1) else {
                throw SyntaxFault(
                    "'\(text)' is not a range; use SHORTEST-LONGEST within "
                        + "\(TimeText.text(range.lowerBound)) to \(TimeText.text(range.upperBound))")
            }
            return times
        }
    }

    /// A whole number of the range.
    func integer(_ what: String, in range: ClosedRange<Int>) throws(SimulationError) -> Int {
        try read(what) { (text) throws(SyntaxFault) in
            guard let value = Int(text), range.contains(value) else {
                throw SyntaxFault("'\(text)' is out of range; use \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// `true` or `false`.
    func isTrue(_ what: String) throws(SimulationError) -> Bool {
        try read(what) { (text) throws(SyntaxFault) in
            guard let value = Bool(text) else { throw SyntaxFault("'\(text)' is not allowed here; use true or false") }
            return value
        }
    }

    /// One of a set of words.
    func choice<Value: RawRepresentable & CaseIterable>(
        _ what: String, _ type: Value.Type
    ) throws(SimulationError) -> Value where Value.RawValue == String {
        try read(what) { (text) throws(SyntaxFault) in
            guard let value = Value(rawValue: text) else {
                let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
                throw SyntaxFault("'\(text)' is not allowed here; use \(allowed)")
            }
            return value
        }
    }

    /// Names, each of which is there.
    func names(_ what: String, of kind: String, in allowed: [String]) throws(SimulationError) -> [String] {
        var names: [String] = []
        for value in try list(what) {
            let name = try value.text(kind)
            if let message = Scenario.missing(kind, name, in: allowed) { throw value.fault(message) }
            names.append(name)
        }
        return names
    }
}
