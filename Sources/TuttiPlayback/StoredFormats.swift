import TuttiCore

/// The formats that a store's packets have, each once, with the frames held in each.
struct StoredFormats: Sendable {
    private struct Slot: Sendable {
        var format: AudioFormat
        var packets: Int
        var frames: Int
    }

    /// Nil where a format has gone.
    private var slots: [Slot?] = []
    private var numbers: [AudioFormat: Int32] = [:]
    private var free: [Int32] = []
    /// The format asked for last, which is the next packet's too: hashing a long cookie for each would take its time.
    private var last: Int32?
    /// Bytes that the formats take.
    private(set) var cost = 0

    /// Bytes that a format takes beside its cookie.
    private static let overhead = 256

    subscript(number: Int32) -> AudioFormat {
        guard let slot = slots[Int(number)] else { preconditionFailure("a packet's format is kept") }
        return slot.format
    }

    /// Seconds of sound in all formats together.
    var seconds: Double {
        var sum = 0.0
        for case let slot? in slots { sum += Double(slot.frames) / Double(slot.format.sampleRate) }
        return sum
    }

    /// Bytes that one more format would take; 0 for one that is there.
    func cost(of format: AudioFormat) -> Int { number(of: format) == nil ? Self.cost(format) : 0 }

    /// Counts one more packet of `format` and returns the format's number.
    mutating func use(_ format: AudioFormat, frames: Int) -> Int32 {
        let number = number(of: format) ?? add(format)
        last = number
        retain(number, frames: frames)
        return number
    }

    /// Counts one more packet of a format that is there.
    mutating func retain(_ number: Int32, frames: Int) {
        precondition(slots[Int(number)] != nil && frames > 0, "a packet has a format and sounds")
        slots[Int(number)]?.packets += 1
        slots[Int(number)]?.frames += frames
    }

    /// Counts one packet less; a format without packets is forgotten.
    mutating func release(_ number: Int32, frames: Int) {
        let index = Int(number)
        slots[index]?.packets -= 1
        slots[index]?.frames -= frames
        guard let slot = slots[index] else { preconditionFailure("a packet's format is kept") }
        precondition(slot.packets >= 0 && slot.frames >= 0, "a packet is released once")
        guard slot.packets == 0 else { return }
        precondition(slot.frames == 0, "no packet, no frame")
        cost -= Self.cost(slot.format)
        numbers[slot.format] = nil
        slots[index] = nil
        free.append(number)
        if last == number { last = nil }
    }

    private static func cost(_ format: AudioFormat) -> Int { format.magicCookie.count + overhead }

    private func number(of format: AudioFormat) -> Int32? {
        if let last, slots[Int(last)]?.format == format { return last }
        return numbers[format]
    }

    private mutating func add(_ format: AudioFormat) -> Int32 {
        cost += Self.cost(format)
        let number = free.popLast() ?? Int32(slots.count)
        if Int(number) == slots.count { slots.append(nil) }
        slots[Int(number)] = Slot(format: format, packets: 0, frames: 0)
        numbers[format] = number
        return number
    }
}
