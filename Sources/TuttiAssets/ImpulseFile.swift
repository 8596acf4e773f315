import TuttiCore
package import TuttiEffects

/// Files with impulse responses: anything that is read as sound, or a text of numbers, one a line (at 48 000 Hz).
package enum ImpulseFile {
    /// Frames a second of a text.
    private static let textRate = 48_000

    /// Reads a file. Sound of one channel comes as two that are alike.
    ///
    /// - Throws: what is wrong with the file; `.unsupported` for one that is too long.
    package static func read(_ path: String) throws(AssetError) -> ImpulseResponse {
        if path.hasSuffix(".txt") || path.hasSuffix(".csv") { return try text(path) }
        let asset = try Asset.open(AssetInput(uri: path))
        var (left, right): ([Float], [Float]) = ([], [])
        while let block = try asset.read(maximumFrames: 1 << 16) {
            guard left.count + block.frameCount <= ImpulseResponse.maximumFrameCount else { throw tooLong(path) }
            for frame in 0..<block.frameCount {
                left.append(block.samples[frame * block.channelCount])
                right.append(block.samples[frame * block.channelCount + (block.channelCount > 1 ? 1 : 0)])
            }
        }
        return try response([left, right], asset.info.sampleRate, path)
    }

    private static func text(_ path: String) throws(AssetError) -> ImpulseResponse {
        let text = String(decoding: try LocalFile.text(of: path), as: UTF8.self)
        var samples: [Float] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "," || $0 == ";" }
            // Headers and remarks stand before the numbers.
            guard let word = words.last, let sample = Float(word) else {
                if samples.isEmpty { continue }
                throw .damaged(path, reason: "'\(line.prefix(40))' is no number")
            }
            guard samples.count < ImpulseResponse.maximumFrameCount else { throw tooLong(path) }
            samples.append(sample)
        }
        return try response([samples], textRate, path)
    }

    private static func response(
        _ channels: [[Float]], _ sampleRate: Int, _ path: String
    ) throws(AssetError) -> ImpulseResponse {
        guard let response = ImpulseResponse(channels: channels, sampleRate: sampleRate) else {
            throw .unsupported(path, reason: "contains no samples")
        }
        let loudest = channels.joined().reduce(Float(0)) { max($0, abs($1)) }
        guard loudest.isFinite else { throw .unsupported(path, reason: "has samples that are not numbers") }
        guard loudest > 0 else { throw .unsupported(path, reason: "is silent, and no impulse response") }
        return response
    }

    private static func tooLong(_ path: String) -> AssetError {
        .unsupported(path, reason: "is longer than \(ImpulseResponse.maximumFrameCount) frames; cut it shorter")
    }
}
