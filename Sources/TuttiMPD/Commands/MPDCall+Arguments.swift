import TuttiCore

/// Arguments as numbers, ranges and times.
extension MPDCall {
    /// A whole number.
    func integer(_ text: String, _ range: ClosedRange<Int> = 0...Int(Int32.max)) throws(MPDFault) -> Int {
        guard let number = Int(text) else { throw MPDFault(.argument, "Integer expected: \(text)") }
        guard range.contains(number) else { throw MPDFault(.argument, "Number out of range: \(text)") }
        return number
    }

    /// `0` or `1`.
    func flag(_ text: String) throws(MPDFault) -> Bool {
        switch text {
        case "0": return false
        case "1": return true
        default: throw MPDFault(.argument, "Boolean (0/1) expected: \(text)")
        }
    }

    /// A decimal number.
    func decimal(_ text: String) throws(MPDFault) -> Double {
        guard !text.lowercased().contains("x"), let number = Double(text), number.isFinite, abs(number) < 1e9 else {
            throw MPDFault(.argument, "Float expected: \(text)")
        }
        return number
    }

    /// Seconds.
    func time(_ seconds: Double) throws(MPDFault) -> MediaTime {
        guard let time = MediaTime(seconds: seconds, preferredTimescale: 1000) else {
            throw MPDFault(.argument, "Number out of range: \(seconds)")
        }
        return time
    }

    /// `POS`, `START:END` or `START:`, cut to what there is.
    ///
    /// - Throws: for what is no range, and for a place beyond the end.
    func range(_ text: String, of count: Int) throws(MPDFault) -> Range<Int> {
        guard let colon = text.firstIndex(of: ":") else {
            let index = try integer(text, -1...Int(Int32.max))
            if index < 0 { return 0..<count }
            guard index < count else { throw MPDFault(.argument, "Bad song index") }
            return index..<(index + 1)
        }
        let start = try integer(String(text[..<colon]))
        let rest = String(text[text.index(after: colon)...])
        let end = rest.isEmpty ? count : try integer(rest)
        guard start <= end else { throw MPDFault(.argument, "Bad song index") }
        return min(start, count)..<min(end, count)
    }

    /// A place in the queue: from its beginning or, with a sign, from the current track.
    ///
    /// - Parameter count: how many places there are to choose from.
    func position(_ text: String, in partition: MPDPartition, upTo count: Int) throws(MPDFault) -> Int {
        let index: Int
        switch text.first {
        case "+", "-":
            guard let current = partition.current else { throw MPDFault(.argument, "No current song") }
            let distance = try integer(String(text.dropFirst()))
            index = text.first == "+" ? current + 1 + distance : current - distance
        default: index = try integer(text)
        }
        guard (0...count).contains(index) else { throw MPDFault(.argument, "Bad song index") }
        return index
    }

    /// Where a song of an id stands.
    func index(ofSong text: String, in partition: MPDPartition) throws(MPDFault) -> Int {
        guard let index = partition.queue.index(ofSong: UInt64(try integer(text))) else {
            throw MPDFault(.noSuchThing, "No such song")
        }
        return index
    }

    /// Where a song stands that is named by its place.
    func index(_ text: String, in partition: MPDPartition) throws(MPDFault) -> Int {
        let index = try integer(text)
        guard partition.queue.entries.indices.contains(index) else { throw MPDFault(.argument, "Bad song index") }
        return index
    }
}
