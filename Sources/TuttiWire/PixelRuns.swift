/// Pixels of four bytes as runs of equal ones: `u16 count | pixel`, big-endian. Images of text are mostly such.
enum PixelRuns {
    private static let runBytes = 6

    /// The runs of pixels, of which there are four bytes each.
    static func encode(_ pixels: [UInt8]) -> [UInt8] {
        var runs: [UInt8] = []
        var start = 0
        while start + 4 <= pixels.count {
            let pixel = pixels[start..<start + 4]
            var end = start + 4
            while end + 4 <= pixels.count, (end - start) / 4 < Int(UInt16.max), pixels[end..<end + 4] == pixel {
                end += 4
            }
            runs.appendBigEndian(UInt16((end - start) / 4))
            runs += pixel
            start = end
        }
        return runs
    }

    /// The pixels of runs; nil where they are not `count` pixels.
    static func decode(_ runs: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        guard runs.count % runBytes == 0 else { return nil }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * count)
        for start in stride(from: runs.startIndex, to: runs.endIndex, by: runBytes) {
            let length = Int(runs[start]) << 8 | Int(runs[start + 1])
            guard length > 0, pixels.count / 4 + length <= count else { return nil }
            let pixel = runs[(start + 2)..<(start + runBytes)]
            for _ in 0..<length { pixels += pixel }
        }
        return pixels.count == 4 * count ? pixels : nil
    }
}
