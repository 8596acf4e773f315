/// Pictures of one colour, as baseline JPEG images (ITU-T T.81) that are made here.
package enum PlainImage {
    /// A black or a white image.
    ///
    /// - Parameters:
    ///   - width: pixels, held to 16 … 4096.
    ///   - height: the same.
    package static func jpeg(width: Int, height: Int, isWhite: Bool) -> [UInt8] {
        let (width, height) = (min(max(width, 16), 4_096), min(max(height, 16), 4_096))
        return [0xFF, 0xD8]
            // One quantization table: 128 everywhere.
            + [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 128, count: 64)
            // The frame: 8 bits, three components, luma twice as wide and high as chroma.
            + [0xFF, 0xC0, 0, 17, 8] + bytes(height) + bytes(width) + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
            // Differences of DC: 0 is "no bits", 10 is "four bits".
            + [0xFF, 0xC4, 0, 21, 0x00, 1, 1] + [UInt8](repeating: 0, count: 14) + [0, 4]
            // AC: 0 is "end of block".
            + [0xFF, 0xC4, 0, 20, 0x10, 1, 0] + [UInt8](repeating: 0, count: 14) + [0]
            + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
            + blocks(((width + 15) / 16) * ((height + 15) / 16), isWhite: isWhite) + [0xFF, 0xD9]
    }

    /// Units of four blocks of luma and one each of chroma. The first block is 8 × 128 below or above the middle, and
    /// no other one differs from it; chroma is in the middle.
    private static func blocks(_ units: Int, isWhite: Bool) -> [UInt8] {
        // 10 0111 (-8) or 10 1000 (8), then 0, then 0 0 for each further block.
        let bitCount = 7 + 10 + 12 * (units - 1)
        var data = [UInt8](repeating: 0, count: (bitCount + 7) / 8)
        data[0] = isWhite ? 0b1010_0000 : 0b1001_1100
        // What is left of the last byte is filled with ones.
        data[data.count - 1] |= UInt8((1 << (data.count * 8 - bitCount)) - 1)
        return data
    }

    private static func bytes(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
}
