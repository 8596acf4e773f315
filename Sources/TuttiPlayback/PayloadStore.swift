import TuttiCore

/// The bytes of many packets in few allocations: each by itself would cost a third of a small packet again.
struct PayloadStore: Sendable {
    /// Where the bytes of a packet lie.
    struct Place: Sendable {
        fileprivate let chunk: Int32
        fileprivate let offset: Int32
        /// How many they are.
        let count: Int32
    }

    fileprivate struct Chunk: Sendable {
        var bytes: [UInt8] = []
        /// Packets that lie in it and are in use.
        var users = 0
        /// What comes before packets, by the offset of these; few have any.
        var prerolls: [Int32: Preroll] = [:]
    }

    /// Where in a chunk the pre-roll of a packet lies: of each of its packets a count of frames, one of bytes, and
    /// these.
    fileprivate struct Preroll: Sendable {
        var start: Int32
        var packets: Int32
        var count: Int32
    }

    private var chunks: [Chunk] = []
    /// The numbers of chunks without bytes.
    private var free: [Int32] = []
    /// The chunk that is being filled.
    private var open: Int32?
    /// Bytes in chunks, those that nobody uses any more included.
    private(set) var heldBytes = 0

    /// Bytes that may be held beyond those of packets in use: what is left of chunks of which other packets went.
    static let slack = 1 << 20
    /// Bytes of a chunk; a packet of more than a quarter of that has one of its own. With the headers of the array and
    /// the allocator they fill 33 pages: from 128 KiB on the C library maps memory by itself, so that what comes and
    /// goes beside chunks leaves no holes between them.
    private static let chunkBytes = (132 << 10) - 64
    /// Bytes that a packet of a pre-roll takes beside its own.
    private static let prerollHeader = 8

    /// Bytes that a packet's own and those of its pre-roll take.
    static func cost(of packet: SampleBuffer) -> Int {
        packet.byteCount + (packet.preroll?.count ?? 0) * prerollHeader
    }

    /// Takes the bytes of a packet, which has one user then.
    mutating func add(_ packet: SampleBuffer) -> Place {
        let size = Self.cost(of: packet)
        let number = chunk(for: size)
        let index = Int(number)
        let offset = Int32(chunks[index].bytes.count)
        if offset == 0, size > Self.chunkBytes / 4 {
            chunks[index].bytes = packet.data
        } else {
            chunks[index].bytes.append(contentsOf: packet.data)
            // Each has an offset of its own.
            if packet.data.isEmpty { chunks[index].bytes.append(0) }
        }
        if let preroll = packet.preroll { chunks[index].add(preroll, before: offset) }
        heldBytes += chunks[index].bytes.count - Int(offset)
        chunks[index].users += 1
        return Place(chunk: number, offset: offset, count: Int32(packet.data.count))
    }

    /// One more packet uses these bytes.
    mutating func retain(_ place: Place) {
        precondition(chunks[Int(place.chunk)].users > 0, "bytes in use get another user")
        chunks[Int(place.chunk)].users += 1
    }

    /// One packet less uses these bytes; where nobody uses any of a chunk, it is given back.
    mutating func release(_ place: Place) {
        let index = Int(place.chunk)
        precondition(chunks[index].users > 0, "only bytes in use are released")
        chunks[index].users -= 1
        guard chunks[index].users == 0 else { return }
        heldBytes -= chunks[index].bytes.count
        precondition(heldBytes >= 0, "bytes are given back once")
        chunks[index] = Chunk()
        free.append(place.chunk)
        if open == place.chunk { open = nil }
    }

    /// The bytes.
    func data(at place: Place) -> [UInt8] {
        let bytes = chunks[Int(place.chunk)].bytes
        let (start, count) = (Int(place.offset), Int(place.count))
        return count == bytes.count ? bytes : Array(bytes[start..<start + count])
    }

    /// The pre-roll packets before them.
    func preroll(at place: Place) -> [PrerollPacket]? {
        let chunk = chunks[Int(place.chunk)]
        guard let preroll = chunk.prerolls[place.offset] else { return nil }
        var packets: [PrerollPacket] = []
        packets.reserveCapacity(Int(preroll.packets))
        var index = Int(preroll.start)
        for _ in 0..<preroll.packets {
            let (frames, count) = (chunk.number(at: index), chunk.number(at: index + 4))
            let start = index + Self.prerollHeader
            index = start + count
            if let packet = PrerollPacket(frameCount: frames, data: Array(chunk.bytes[start..<index])) {
                packets.append(packet)
            }
        }
        return packets
    }

    /// How many bytes both have.
    func byteCount(at place: Place) -> Int {
        let packets = chunks[Int(place.chunk)].prerolls[place.offset]?.packets ?? 0
        return cost(at: place) - Int(packets) * Self.prerollHeader
    }

    /// How many bytes both take.
    func cost(at place: Place) -> Int {
        Int(place.count) + Int(chunks[Int(place.chunk)].prerolls[place.offset]?.count ?? 0)
    }

    /// The chunk that takes the next `count` bytes.
    private mutating func chunk(for count: Int) -> Int32 {
        let isLarge = count > Self.chunkBytes / 4
        if !isLarge, let open, chunks[Int(open)].bytes.count + max(count, 1) <= Self.chunkBytes { return open }
        let number = free.popLast() ?? Int32(chunks.count)
        if Int(number) == chunks.count { chunks.append(Chunk()) }
        if !isLarge {
            chunks[Int(number)].bytes.reserveCapacity(Self.chunkBytes)
            open = number
        }
        return number
    }
}

extension PayloadStore.Chunk {
    /// Takes what comes before the packet at `offset`.
    fileprivate mutating func add(_ preroll: [PrerollPacket], before offset: Int32) {
        let start = bytes.count
        for packet in preroll {
            append(packet.frameCount)
            append(packet.data.count)
            bytes.append(contentsOf: packet.data)
        }
        prerolls[offset] = PayloadStore.Preroll(
            start: Int32(start), packets: Int32(preroll.count), count: Int32(bytes.count - start))
    }

    private mutating func append(_ number: Int) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// The number in the four bytes from `index`.
    fileprivate func number(at index: Int) -> Int {
        bytes[index..<index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
