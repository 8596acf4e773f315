import Synchronization
import TuttiAssets
public import TuttiCore
public import TuttiPlayback

/// Gives the sound of a file or an address as sample buffers that follow one another without a gap, for renderers.
///
/// What the encoder added at either end is left out, as the file says it. Reading blocks; an `http(s)` address may take
/// its time. Calls may come from any thread, one at a time is answered.
public final class AssetReader: Sendable {
    /// What the buffers hold.
    public enum Form: Sendable, Hashable {
        /// The packets as they lie in the file, trimmed, where renderers decode them (AAC, MP3, ALAC, FLAC, Vorbis,
        /// Opus, LPCM of one or two channels); samples otherwise.
        case packets
        /// Stereo floats, about a second each.
        case samples
    }

    fileprivate struct State: ~Copyable {
        let asset: Asset
        var format: AudioFormat?
        /// Where the next buffer lies.
        var time: MediaTime
        var waiting: [SampleBuffer] = []
    }

    /// How long the sound lasts; nil where nobody knows, as of live streams.
    public let duration: MediaTime?
    /// The title in the file's tags.
    public let title: String?
    /// Frames a second.
    public let sampleRate: Int
    private let start: MediaTime
    private let form: Form
    private let interrupter = Interrupter()
    private let state: Mutex<State>

    /// Opens a file or an address.
    ///
    /// - Parameters:
    ///   - uri: a path, or an `http://` or `https://` address.
    ///   - form: packets as they lie in the file, or decoded samples.
    ///   - start: the media time at which its beginning is to be heard.
    /// - Throws: `media`, which says what is wrong with it.
    public init(
        _ uri: String, form: Form = .packets, startingAt start: MediaTime = .zero
    ) throws(PlaybackError) {
        do throws(AssetError) {
            let asset = try Asset.open(AssetInput(uri: uri), interrupter: interrupter)
            (duration, title, sampleRate) = (asset.info.duration, asset.info.title, asset.info.sampleRate)
            (self.form, self.start) = (form, start)
            let format = try form == .packets ? Self.startPackets(asset) : nil
            state = Mutex(State(asset: asset, format: format, time: start))
        } catch {
            throw .media(error.description)
        }
    }

    /// Where the next buffer lies; after the last one, where the sound ends.
    public var nextPresentationTime: MediaTime { state.withLock { $0.waiting.first?.presentationTime ?? $0.time } }

    /// The next buffer; nil at the end.
    ///
    /// - Throws: `media`: the file is cut off or the address fails. What follows can be asked for; it may be the end.
    public func next() throws(PlaybackError) -> SampleBuffer? {
        try state.withLock { state throws(PlaybackError) in
            do throws(AssetError) {
                while state.waiting.isEmpty {
                    guard try state.read() else { return nil }
                }
                return state.waiting.removeFirst()
            } catch {
                throw .media(error.description)
            }
        }
    }

    /// Makes the next buffer begin exactly at a media time; before the beginning that is the beginning, behind the end
    /// there is none.
    ///
    /// - Throws: `media` where the source cannot go back.
    public func seek(to time: MediaTime) throws(PlaybackError) {
        try state.withLock { state throws(PlaybackError) in
            do throws(AssetError) {
                try state.asset.seek(to: time - start)
                if state.format == nil, form == .packets { state.format = try Self.startPackets(state.asset) }
                (state.time, state.waiting) = (start + state.asset.currentTime, [])
            } catch {
                throw .media(error.description)
            }
        }
    }

    /// Lets a reading that waits for the network fail, from any thread. Nothing can be read any more.
    public func cancel() { interrupter.interrupt() }

    /// Turns to packets, where there is a decoder for them.
    private static func startPackets(_ asset: Asset) throws(AssetError) -> AudioFormat? {
        guard let format = try asset.startPackets() else { return nil }
        if Decoding.refusal(of: format) == nil { return format }
        try asset.stopPackets()
        return nil
    }
}

extension AssetReader.State {
    /// Reads on; false at the end.
    fileprivate mutating func read() throws(AssetError) -> Bool {
        guard let format else { return try readSamples() }
        switch try asset.readPacket() {
        case .packet(let packet):
            append(
                SampleBuffer(
                    format: format, presentationTime: time, frameCount: packet.frameCount,
                    trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd, data: packet.data,
                    preroll: packet.preroll))
        case .silence(let frames): appendSilence(frames)
        case .unsuitable:
            try asset.stopPackets()
            self.format = nil
        case nil: return false
        }
        return true
    }

    private mutating func readSamples() throws(AssetError) -> Bool {
        let rate = asset.info.sampleRate
        var samples: [Float] = []
        while samples.count < 2 * rate, let block = try asset.read(maximumFrames: rate - samples.count / 2) {
            samples += block.samples
        }
        append(SampleBuffer(interleaved: samples, channelCount: 2, sampleRate: rate, presentationTime: time))
        return !samples.isEmpty
    }

    private mutating func appendSilence(_ frames: Int) {
        let rate = asset.info.sampleRate
        for start in stride(from: 0, to: frames, by: rate) {
            let samples = [Float](repeating: 0, count: 2 * min(rate, frames - start))
            append(SampleBuffer(interleaved: samples, channelCount: 2, sampleRate: rate, presentationTime: time))
        }
    }

    private mutating func append(_ buffer: SampleBuffer?) {
        guard let buffer, buffer.audibleFrameCount > 0 else { return }
        waiting.append(buffer)
        time += buffer.duration
    }
}
