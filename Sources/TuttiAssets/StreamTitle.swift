/// The titles that stations send between their sound.
enum StreamTitle {
    /// The longest packet of a station's: 255 blocks of 16 bytes.
    static let maximumBytes = 4_080
    private static let mark = Array("StreamTitle='".utf8)
    private static let end = Array("';".utf8)

    /// The title in a packet such as `StreamTitle='Artist - Title';StreamUrl='';`, whatever its character set; empty
    /// where the station takes the one before back, nil in a packet without one.
    static func title(in packet: [UInt8]) -> String? {
        guard let begin = packet.firstRange(of: mark)?.upperBound else { return nil }
        let rest = packet[begin...]
        let title = rest.firstRange(of: end).map { rest[..<$0.lowerBound] } ?? rest
        return TagText.oneLine(UnknownText.text(of: Array(title)))
    }
}
