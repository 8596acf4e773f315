/// Numbers the formats of a timeline as they come up. When there are no more numbers, the format that has not been used
/// for the longest time gives its own away: its packets have arrived long since.
struct FormatNumbers<Format: Hashable & Sendable> {
    /// Formats that a speaker knows at a time.
    let limit: Int
    private var slots: [Format: (id: UInt16, use: Int)] = [:]
    private var uses = 0

    init(limit: Int) { self.limit = limit }

    /// The format's number.
    mutating func id(of format: Format) -> UInt16 {
        uses += 1
        let id = slots[format]?.id ?? freeID()
        slots[format] = (id, uses)
        precondition(slots.count <= limit, "more formats are numbered than a speaker knows")
        return id
    }

    private mutating func freeID() -> UInt16 {
        guard slots.count >= limit, let oldest = slots.min(by: { $0.value.use < $1.value.use }) else {
            return UInt16(truncatingIfNeeded: slots.count)
        }
        slots[oldest.key] = nil
        return oldest.value.id
    }
}
