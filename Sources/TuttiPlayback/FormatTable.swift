import TuttiCore

/// The formats that a store's packets have, each once, with the frames held in each.
struct FormatTable: Sendable {
    private struct Slot: Sendable {
        var format: AudioFormat
        var packets: Int
        var frames: Int
    }

    private var slots: [Slot] = []
    private var numbers: [AudioFormat: Int32] = [:]
    private var free: [Int32] = []

    subscript(number: Int32) -> AudioFormat { slots[Int(number)].format }

    /// Seconds of sound in all formats together.
    var seconds: Double {
        var sum = 0.0
        for slot in slots where slot.packets > 0 { sum += Double(slot.frames) / Double(slot.format.sampleRate) }
        return sum
    }

    /// Counts one more packet of `format` and returns the format's number.
    mutating func use(_ format: AudioFormat, frames: Int) -> Int32 {
        let number = numbers[format] ?? add(format)
        slots[Int(number)].packets += 1
        slots[Int(number)].frames += frames
        return number
    }

    /// Counts one packet less; a format without packets frees its number.
    mutating func release(_ number: Int32, frames: Int) {
        let index = Int(number)
        slots[index].packets -= 1
        slots[index].frames -= frames
        if slots[index].packets == 0 {
            numbers[slots[index].format] = nil
            free.append(number)
        }
    }

    private mutating func add(_ format: AudioFormat) -> Int32 {
        let slot = Slot(format: format, packets: 0, frames: 0)
        let number: Int32
        if let reused = free.popLast() {
            number = reused
            slots[Int(number)] = slot
        } else {
            number = Int32(slots.count)
            slots.append(slot)
        }
        numbers[format] = number
        return number
    }
}
