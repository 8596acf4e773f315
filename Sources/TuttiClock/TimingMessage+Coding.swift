import TuttiCore

extension TimingMessage {
    /// The 64 bytes of this message.
    package func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        Self.append(Self.magic, to: &bytes)
        bytes.append(Self.version << 4 | kind.rawValue)
        bytes.append(previousDistance)
        Self.append(sequence, to: &bytes)
        Self.append(timescale.rawValue, to: &bytes)
        Self.append(clientID, to: &bytes)
        Self.append(UInt64(bitPattern: t1), to: &bytes)
        Self.append(UInt64(bitPattern: t2), to: &bytes)
        Self.append(hold, to: &bytes)
        Self.append(previousHold, to: &bytes)
        bytes.append(flags)
        if let descent { Self.append(descent, to: &bytes) }
        bytes.append(contentsOf: repeatElement(0, count: Self.byteCount - bytes.count))
        return bytes
    }

    private static func append(_ descent: ClockDescent, to bytes: inout [UInt8]) {
        bytes.append(descent.steps)
        append(descent.losses, to: &bytes)
        append(descent.leader, to: &bytes)
        append(descent.age, to: &bytes)
    }

    /// The bits of byte 48.
    private static var hasDescent: UInt8 { 1 }
    private static var isCoarse: UInt8 { 2 }
    private static var hasHardwareArrival: UInt8 { 4 }
    private static var hasHardwareDeparture: UInt8 { 8 }
    private static var usesSystemClock: UInt8 { 16 }

    private var flags: UInt8 {
        (descent == nil ? 0 : Self.hasDescent) | (descent?.isCoarse == true ? Self.isCoarse : 0)
            | (hasHardwareArrival ? Self.hasHardwareArrival : 0)
            | (hasHardwareDeparture ? Self.hasHardwareDeparture : 0)
            | (usesSystemClock ? Self.usesSystemClock : 0)
    }

    /// What stands in the last bytes; nil for one that names no leader.
    private static func descent(in bytes: [UInt8]) -> ClockDescent? {
        let leader = UInt32(truncatingIfNeeded: number(bytes, at: 52, size: 4))
        guard bytes[48] & hasDescent != 0, leader != 0 else { return nil }
        return ClockDescent(
            isCoarse: bytes[48] & isCoarse != 0, losses: UInt16(truncatingIfNeeded: number(bytes, at: 50, size: 2)),
            leader: leader, age: UInt32(truncatingIfNeeded: number(bytes, at: 56, size: 4)), steps: bytes[49])
    }

    /// The message in `bytes`.
    ///
    /// - Throws: `ClockError` when they are not one; nothing in a datagram traps.
    package init(parsing bytes: [UInt8]) throws(ClockError) {
        guard bytes.count == Self.byteCount else { throw .wrongLength(count: bytes.count) }
        guard UInt16(truncatingIfNeeded: Self.number(bytes, at: 0, size: 2)) == Self.magic else { throw .notTiming }
        guard bytes[2] >> 4 == Self.version else { throw .unsupportedVersion(bytes[2] >> 4) }
        guard let kind = Kind(rawValue: bytes[2] & 15) else { throw .unknownKind(bytes[2] & 15) }
        self.init(
            requestOn: TimescaleID(rawValue: Self.number(bytes, at: 8, size: 8)),
            clientID: Self.number(bytes, at: 16, size: 8),
            sequence: UInt32(truncatingIfNeeded: Self.number(bytes, at: 4, size: 4)),
            t1: Int64(bitPattern: Self.number(bytes, at: 24, size: 8)))
        self.kind = kind
        t2 = Int64(bitPattern: Self.number(bytes, at: 32, size: 8))
        hold = UInt32(truncatingIfNeeded: Self.number(bytes, at: 40, size: 4))
        previousDistance = bytes[3]
        previousHold = UInt32(truncatingIfNeeded: Self.number(bytes, at: 44, size: 4))
        hasHardwareArrival = kind == .reply && bytes[48] & Self.hasHardwareArrival != 0
        hasHardwareDeparture = kind == .reply && bytes[48] & Self.hasHardwareDeparture != 0
        usesSystemClock = bytes[48] & Self.usesSystemClock != 0
        descent = Self.descent(in: bytes)
        guard t1.magnitude < Self.maximumNanoseconds.magnitude, t2.magnitude < Self.maximumNanoseconds.magnitude,
            hold <= Self.maximumHold, previousHold <= Self.maximumHold
        else { throw .fieldOutOfRange }
    }

    /// Whether `bytes` claim to be a reply; what else they are, parsing tells.
    static func isReply(_ bytes: [UInt8]) -> Bool { bytes.count > 2 && bytes[2] & 15 == Kind.reply.rawValue }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// The big-endian number in `size` bytes from `index`.
    private static func number(_ bytes: [UInt8], at index: Int, size: Int) -> UInt64 {
        bytes[index..<index + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
