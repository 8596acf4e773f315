/// The beginnings of music files, made byte by byte: what a library reads of them.
enum MadeFile {
    static let rate = 44_100

    /// A FLAC file without frames (RFC 9639, sections 8.2, 8.6 and 8.8).
    ///
    /// - Parameter picture: bytes of a cover; 0 for none.
    static func flac(_ tags: [String: [UInt8]], seconds: Int = 60, picture: Int = 0) -> [UInt8] {
        var info = [UInt8](repeating: 0, count: 34)
        (info[0], info[2]) = (16, 16)
        let samples = UInt64(rate * seconds)
        let packed = UInt64(rate) << 44 | 1 << 41 | 15 << 36 | samples
        for index in 0..<8 { info[10 + index] = UInt8(truncatingIfNeeded: packed >> UInt64(56 - 8 * index)) }
        var comments = little(4) + Array("made".utf8) + little(tags.count)
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
            let text = Array(name.utf8) + [UInt8(ascii: "=")] + value
            comments += little(text.count) + text
        }
        var bytes = Array("fLaC".utf8) + block(0, info, isLast: false)
        if picture > 0 {
            let mime = Array("image/jpeg".utf8)
            let head = big(3) + big(mime.count) + mime + big(0) + big(1) + big(1) + big(24) + big(0) + big(picture)
            let data = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: max(0, picture - 3))
            bytes += block(6, head + data, isLast: false)
        }
        return bytes + block(4, comments, isLast: true)
    }

    /// An MP3 file of frames of 128 kbit/s without any header that tells how many.
    static func mp3(_ frames: [(id: String, text: [UInt8])], seconds: Int = 10) -> [UInt8] {
        var body: [UInt8] = []
        for frame in frames {
            let content = [0] + frame.text
            body += Array(frame.id.utf8) + big(content.count) + [0, 0] + content
        }
        let size = body.count
        let safe = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
        let sound = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        return Array("ID3".utf8) + [3, 0, 0] + safe + body
            + (0..<seconds * 38).flatMap { _ in sound }
    }

    private static func block(_ type: UInt8, _ content: [UInt8], isLast: Bool) -> [UInt8] {
        [type | (isLast ? 0x80 : 0)] + big(content.count).dropFirst() + content
    }

    private static func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
    private static func little(_ number: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(number >> $0 & 0xFF) } }
}
