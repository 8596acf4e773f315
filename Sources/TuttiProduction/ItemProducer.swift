import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiEncoding
import TuttiLive
import TuttiStretch

/// Makes the packets of one track; used by the producer's thread.
final class ItemProducer {
    let item: ProducerItem
    var options: EncodingOptions
    let interrupter: Interrupter
    let report: (ProducerEvent) -> Void
    /// Asked before each step with the place reached on the timeline; false ends it at once.
    let mayContinue: (MediaTime) -> Bool
    /// Where the track is to be left when the work item does not tell.
    private let stop: MediaTime?

    /// Where the track's first frame lies on the timeline, or would.
    var start: MediaTime
    /// Where the track ends on the timeline, as far as it got.
    var end: MediaTime
    /// Whether the tail before it has been produced.
    var hasJoined = false
    private var run: PacketRun?
    /// What is read; before that what has been opened already, under the same interrupter.
    private var asset: Asset?
    private var streamTitle: String?
    /// What its samples are multiplied with.
    private(set) var gain = GainRamp(1)
    /// The night stages of the timeline.
    let memory: NightMemory
    /// Night mode on what is encoded now.
    private var night: NightStage?
    /// Whether anything has been encoded: from there on night mode is as it is to be.
    var hasBegun = false
    /// Frames of a live source that have been encoded.
    var livePosition = 0
    /// For how long a live source has been silent.
    var silence: LiveSilence?

    init(
        _ item: ProducerItem, opened: Asset? = nil, options: EncodingOptions, interrupter: Interrupter,
        memory: NightMemory,
        stop: MediaTime? = nil,
        report: @escaping (ProducerEvent) -> Void, mayContinue: @escaping (MediaTime) -> Bool
    ) {
        self.item = item
        asset = opened
        self.options = options
        self.interrupter = interrupter
        self.memory = memory
        self.stop = stop
        self.report = report
        self.mayContinue = mayContinue
        start = item.start
        end = item.start
    }

    /// Produces the track to its end, or up to its crossfade tail, reporting as it goes.
    func produce(_ asks: LiveAsks = .none) {
        do {
            if let order = item.live { return try produceLive(order, asks) }
            // A live source has a clock; whoever makes files of sound has none.
            if item.input.isLive {
                throw AssetError.badLiveInput(item.input.name, reason: "it can only be played live")
            }
            let asset = try self.asset ?? Asset.open(item.input, choice: item.choice, interrupter: interrupter)
            self.asset = asset
            report(.opened(takeLevel(for: asset.info)))
            if passesOver(asset.info) { return }
            let reached = try play(asset, until: stop ?? item.tailPlace(of: asset.info))
            if let damage = Self.damage(of: asset) { report(.failed(message: damage.description)) }
            if let reached, let ending = item.ending(of: asset.info, from: reached, at: end, gain: gain.gain) {
                return report(.ending(ending))
            }
        } catch {
            if interrupter.wasInterrupted { return }
            report(.failed(message: "\(error)"))
            if !hasJoined, let head = item.head { playOut(head) }
        }
        report(.ended(end: end, remainingOffset: .zero))
    }

    /// Decides how loud the track is made.
    ///
    /// - Returns: what is known of it, with the loudness that this follows from.
    func takeLevel(for info: AssetInfo) -> AssetInfo {
        switch item.level {
        case .gain(let factor):
            gain = GainRamp(factor)
            return info
        case .normalized(let normalization, let source, let before):
            var info = info
            switch source {
            case .known(let loudness): info.loudness = loudness
            case .lookedUp(let lookup):
                if normalization != .off, let measured = lookup?(item.input) { info.loudness = measured }
            }
            gain = GainRamp(normalization.factor(of: info.loudness), after: before)
            return info
        }
    }

    /// Whether the place to begin at lies beyond the track; then it is over already.
    private func passesOver(_ info: AssetInfo) -> Bool {
        guard let duration = info.duration, item.offset >= duration, item.offset.isPositive else { return false }
        end = start + duration.scaled(by: 1 / item.rate)
        report(.ended(end: end, remainingOffset: item.offset - duration))
        return true
    }

    /// - Returns: the place where the track was left before its end; nil when it has been played through.
    private func play(_ asset: Asset, until stop: MediaTime?) throws -> MediaTime? {
        var sound = try item.head.flatMap { try join($0, asset, until: stop) }
        if options.keepsOriginals, item.rate == 1, gain.isUnity, !nightMode.isHeard,
            let format = try asset.startPackets()
        {
            try finishRun()
            try go(to: sound == nil ? item.offset : end - start, in: asset)
            switch try send(asset, as: format, until: stop.map { start + $0 }) {
            case .through: return nil
            case .stopped: return end - start
            case .unsuitable: sound = nil
            }
        } else if sound == nil {
            try go(to: item.offset, in: asset)
        }
        if let stop, asset.currentTime >= stop, sound == nil { return stop }
        let rest = try sound ?? TrackSound(asset, rate: item.rate, sampleRate: wireRate, until: stop, gain: gain)
        try encode(rest)
        return stop
    }

    private func go(to place: MediaTime, in asset: Asset) throws {
        if place.isPositive { try asset.seek(to: place) }
        if item.isRest, item.rate == 1, place == item.offset { start = item.begin - asset.currentTime }
        end = item.rate == 1 ? start + asset.currentTime : max(item.begin, start)
    }

    /// Tells of a station's new title.
    func noteStreamTitle() {
        let title = asset?.streamTitle
        guard title != streamTitle else { return }
        streamTitle = title
        report(.titled(title, at: end))
    }

    /// What was damaged. A live stream is joined in the middle of a packet: nobody calls that damaged.
    private static func damage(of asset: Asset) -> AssetError? {
        guard asset.damageCount > 0, asset.info.duration != nil else { return nil }
        let places = asset.damageCount == 1 ? "one place" : "\(asset.damageCount) places"
        return .damaged(asset.input.name, reason: "\(places) could not be decoded")
    }

    // MARK: Encoding

    /// Frames a second that the codec insists on.
    var wireRate: Int? { options.codec == .opus ? 48_000 : nil }

    private func encode(_ sound: TrackSound) throws {
        try startRun(sound.sampleRate, bitDepth: sound.bitDepth, goesOn: true)
        var failure: (any Error)?
        do {
            while mayContinue(end), let samples = try sound.read() {
                noteStreamTitle()
                try encode(samples)
            }
            guard mayContinue(.lowest) else { return }
        } catch {
            failure = error
        }
        try finishRun()
        if let failure { throw failure }
    }

    /// Encodes samples that follow those before.
    func encode(_ samples: [Float]) throws { try encodeProcessed(night?.process(samples) ?? samples) }

    private func encodeProcessed(_ samples: [Float]) throws {
        guard !samples.isEmpty else { return }
        emit(try run?.encode(options.scaled(samples)) ?? [])
    }

    /// Night mode from here on.
    var nightMode: NightMode { hasBegun ? NightMode(item.night.isOn) : item.night }

    /// Begins packets where those before end.
    ///
    /// - Parameter goesOn: whether an encoder that already makes such packets may continue.
    func startRun(_ sampleRate: Int, bitDepth: Int, goesOn: Bool = false) throws {
        let depth = item.night.isHeard ? max(bitDepth, EncodingOptions.scaledBitDepth) : bitDepth
        let encoder = try Codecs.makeEncoder(
            codec: options.codec, sourceRate: sampleRate, channels: 2, bitDepth: options.bitDepth(ofSource: depth),
            options: options.encoder)
        if goesOn, run?.format == encoder.format { return }
        try finishRun()
        run = PacketRun(encoder, at: end)
        if nightMode.isHeard {
            night = try memory.take(sampleRate, at: end) ?? primedStage(sampleRate, asset)
            night?.begin(nightMode)
        }
        hasBegun = true
    }

    /// Gives what the encoder holds back.
    func finishRun() throws {
        let night = night
        self.night = nil
        if let night { try encodeProcessed(night.finish()) }
        emit(try run?.finish() ?? [])
        run = nil
        if let night { memory.keep(night, at: end) }
    }

    private func emit(_ buffers: [SampleBuffer]) {
        if let run { end = run.end }
        if !buffers.isEmpty { report(.packets(buffers)) }
    }
}
