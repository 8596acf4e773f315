import FoundationEssentials
import TuttiSender

/// The order of a queue as bytes, little-endian: how many entries it has, their ids in the order of play and, when it
/// is shuffled, their ids in the order before.
enum OrderBlob {
    static func data(_ order: PlayerRecord.Order) -> Data {
        let words = [UInt64(order.ids.count)] + order.ids + (order.unshuffled ?? [])
        var data = Data(capacity: words.count * 8 + 1)
        // An empty order may be shuffled too.
        data.append(order.unshuffled == nil ? 0 : 1)
        for word in words { withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }

    /// - Returns: nil for bytes that are no order.
    static func order(_ data: Data?) -> PlayerRecord.Order? {
        guard let bytes = data.map({ [UInt8]($0) }), let mark = bytes.first, bytes.count >= 9, bytes.count % 8 == 1
        else { return nil }
        let words = bytes.withUnsafeBytes { raw in
            stride(from: 1, to: raw.count, by: 8).map {
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
        guard let count = Int(exactly: words[0]), count < words.count else { return nil }
        let rest = Array(words[(count + 1)...])
        guard mark == 1 || rest.isEmpty else { return nil }
        return PlayerRecord.Order(ids: Array(words[1..<count + 1]), unshuffled: mark == 1 ? rest : nil)
    }

    /// The numbers in bytes that are no order: all that could be entries'.
    static func numbers(_ data: Data?) -> [UInt64] {
        let bytes = Array((data ?? Data()).dropFirst(9))
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
