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

    private struct Chunk: Sendable {
        var bytes: [UInt8] = []
        /// Packets that lie in it and are in use.
        var users = 0
        /// What comes before packets, by the offset of these; few have any.
        var prerolls: [Int32: [PrerollPacket]] = [:]
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
    /// Bytes of a chunk; a packet of more than a quarter of that has one of its own.
    private static let chunkBytes = 64 << 10

    /// Takes the bytes of a packet, which has one user then.
    mutating func add(_ packet: SampleBuffer) -> Place {
        let number = chunk(for: packet.data.count)
        let index = Int(number)
        let offset = Int32(chunks[index].bytes.count)
        if offset == 0, packet.data.count > Self.chunkBytes / 4 {
            chunks[index].bytes = packet.data
        } else {
            chunks[index].bytes.append(contentsOf: packet.data)
            // Each has an offset of its own.
            if packet.data.isEmpty { chunks[index].bytes.append(0) }
        }
        heldBytes += chunks[index].bytes.count - Int(offset)
        chunks[index].users += 1
        if let preroll = packet.preroll { chunks[index].prerolls[offset] = preroll }
        return Place(chunk: number, offset: offset, count: Int32(packet.data.count))
    }

    /// One more packet uses these bytes.
    mutating func retain(_ place: Place) { chunks[Int(place.chunk)].users += 1 }

    /// One packet less uses these bytes; where nobody uses any of a chunk, it is given back.
    mutating func release(_ place: Place) {
        let index = Int(place.chunk)
        chunks[index].users -= 1
        guard chunks[index].users == 0 else { return }
        heldBytes -= chunks[index].bytes.count
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

    /// What the decoder hears before them.
    func preroll(at place: Place) -> [PrerollPacket]? { chunks[Int(place.chunk)].prerolls[place.offset] }

    /// How many bytes both have.
    func byteCount(at place: Place) -> Int {
        (preroll(at: place) ?? []).reduce(Int(place.count)) { $0 + $1.data.count }
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
