import TuttiLab

/// What somebody on the wire has of connections and datagrams.
struct Overheard {
    /// What was said on each direction of each TCP connection, in order; links that lose nothing are taken for granted.
    private(set) var streams: [[UInt8]] = []
    /// The datagrams of the clock, signed or not.
    private(set) var timing: [[UInt8]] = []
    /// All other datagrams.
    private(set) var others: [[UInt8]] = []

    init(_ packets: [WirePacket]) {
        var flows: [[WirePacket.End]: Int] = [:]
        for packet in packets where !packet.payload.isEmpty {
            guard packet.transport == .tcp else {
                if packet.payload.starts(with: [0x54, 0xC7]) {
                    timing.append(packet.payload)
                } else {
                    others.append(packet.payload)
                }
                continue
            }
            let ends = [packet.source, packet.destination]
            if flows[ends] == nil {
                flows[ends] = streams.count
                streams.append([])
            }
            if let index = flows[ends] { streams[index] += packet.payload }
        }
    }

    /// What each client has said first, if that begins a handshake.
    var clientHellos: [[UInt8]] { streams.filter { $0.count > 5 && $0[0] == 0x16 && $0[5] == 1 } }

    /// Whether a text is anywhere in it.
    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return (streams + others + timing).contains { bytes in
            guard let first = wanted.first, bytes.count >= wanted.count else { return false }
            return (0...bytes.count - wanted.count).contains {
                bytes[$0] == first && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
            }
        }
    }

    /// How many places were found that have 64 bytes in a row of a file. Not all are looked for, but none is missed
    /// where there is any.
    func stretches(of file: [UInt8]) -> Int {
        let (length, key) = (64, 8)
        func word(_ bytes: [UInt8], _ at: Int) -> UInt64 { bytes[at..<at + key].reduce(0) { $0 << 8 | UInt64($1) } }
        guard file.count >= length else { return 0 }
        var places: [UInt64: Int] = [:]
        places.reserveCapacity(file.count)
        for at in 0...file.count - key { places[word(file, at)] = at }
        var found = 0
        for bytes in streams where bytes.count >= length {
            // Of any 64 bytes, one of those looked at begins a key that lies inside.
            for at in stride(from: 0, through: bytes.count - key, by: length - key + 1) {
                guard let place = places[word(bytes, at)] else { continue }
                let before = zip(bytes[..<at].suffix(length).reversed(), file[..<place].suffix(length).reversed())
                    .prefix { $0 == $1 }.count
                let after = zip(bytes[at...].prefix(length), file[place...]).prefix { $0 == $1 }.count
                if before + after >= length { found += 1 }
            }
        }
        return found
    }

    /// The versions that a ClientHello offers (RFC 8446, §4.2.1); empty for one that offers none this way, which is TLS
    /// 1.2 or older.
    static func versions(of hello: [UInt8]) -> [UInt16] {
        var rest = hello.dropFirst(5 + 4 + 2 + 32)
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        _ = take(number(take(1)))
        _ = take(number(take(2)))
        _ = take(number(take(1)))
        _ = take(2)
        while rest.count >= 4 {
            let (kind, body) = (number(take(2)), take(number(take(2))))
            guard kind == 43 else { continue }
            let list = Array(body.dropFirst())
            return stride(from: 0, to: list.count - 1, by: 2).map { UInt16(list[$0]) << 8 | UInt16(list[$0 + 1]) }
        }
        return []
    }
}
