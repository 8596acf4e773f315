package import TuttiCore

/// What `file:PATH.wav?…` and `null?…` ask for.
package struct VirtualSpecification: Sendable, Equatable {
    /// The file to write; nil for `null`.
    package var path: String?
    /// In Hz; nil leaves it to the request.
    package var rate: Int?
    /// The form of samples; nil leaves it to the request.
    package var sampleType: SampleLayout?
    /// Channels of the card.
    package var channels = 2
    /// Rate error of the card; at most ±10 000.
    package var ppm: Double = 0
    /// Frames between wake-ups.
    package var period: Int?
    /// Frames that the card holds.
    package var buffer: Int?

    /// Parses the name of a device; nil for one that is not virtual.
    package init?(parsing device: String) throws(OutputError) {
        var options: Substring = ""
        var name = Substring(device)
        if let mark = device.lastIndex(of: "?"), device[mark...].contains("=") {
            options = device[device.index(after: mark)...]
            name = device[..<mark]
        }
        if name.hasPrefix("file:") {
            path = String(name.dropFirst("file:".count))
            guard path?.isEmpty == false else {
                throw .invalidDevice(device: device, reason: "the file name is missing")
            }
        } else if name != "null" {
            return nil
        }
        for option in options.split(separator: "&") {
            let pair = option.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, set(String(pair[0]), to: String(pair[1])) else {
                throw .invalidDevice(
                    device: device,
                    reason:
                        "\"\(option)\" is not an option; "
                        + "use rate=8000…192000, bits=16|24|32|32f, channels=1…32, ppm=N, period=N or buffer=N"
                )
            }
        }
        if let period, let buffer, buffer < 2 * period {
            throw .invalidDevice(device: device, reason: "its buffer is shorter than two periods")
        }
    }

    private mutating func set(_ option: String, to text: String) -> Bool {
        switch option {
        case "rate":
            rate = Int(text).flatMap { OutputRequest.sampleRates.contains($0) ? $0 : nil }
            return rate != nil
        case "bits":
            sampleType = ["16": .int16, "24": .int24, "32": .int32, "32f": .float32][text]
            return sampleType != nil
        case "channels":
            guard let count = Int(text), OutputParameters.channelCounts.contains(count) else { return false }
            channels = count
            return true
        case "ppm":
            guard let value = Double(text), abs(value) <= 10_000 else { return false }
            ppm = value
            return true
        case "period":
            period = Int(text).flatMap { (16...1 << 19).contains($0) ? $0 : nil }
            return period != nil
        case "buffer":
            buffer = Int(text).flatMap { (32...1 << 20).contains($0) ? $0 : nil }
            return buffer != nil
        default: return false
        }
    }

    /// The card that comes of the wishes in the device's name and those in `request`.
    package func parameters(for request: OutputRequest) -> OutputParameters {
        let limits = OutputRequest.sampleRates
        let rate = self.rate ?? min(max(request.preferredSampleRate, limits.lowerBound), limits.upperBound)
        let byDepth: SampleLayout =
            request.preferredBitDepth <= 16 ? .int16 : request.preferredBitDepth <= 24 ? .int24 : .float32
        var period = self.period ?? OutputRequest.frames(in: request.preferredIOBufferDuration, at: rate)
        if let buffer { period = min(period, buffer / 2) }
        let buffer = self.buffer ?? max(OutputRequest.frames(in: request.bufferDuration, at: rate), 2 * period)
        return OutputParameters(
            sampleRate: rate, channelCount: channels, sampleType: sampleType ?? byDepth, periodFrames: period,
            bufferFrames: buffer, name: request.device, kind: .virtual)
    }
}
