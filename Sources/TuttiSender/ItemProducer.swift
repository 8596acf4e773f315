import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiStretch

/// Makes the packets of one item; used by the producer's thread.
final class ItemProducer {
    let start: MediaTime
    private let offset: MediaTime
    private let begin: MediaTime
    private let rate: Double
    let report: (ProducerEvent) -> Void

    /// Where the item ends on the timeline, as far as it got.
    var end: MediaTime
    /// What of the offset lies beyond the item.
    private var remainingOffset = MediaTime.zero

    /// Frames asked of the asset at once.
    private static let readFrames = 8192

    init(_ order: ProducerOrder, report: @escaping (ProducerEvent) -> Void) {
        start = order.start
        offset = max(order.offset, .zero)
        begin = order.begin
        rate = order.rate
        self.report = report
        end = start
        remainingOffset = offset
    }

    /// Plays the item through, reporting as it goes.
    ///
    /// - Parameter mayContinue: asked before each piece of work with the place reached; false ends it at once.
    func produce(
        _ input: AssetInput, options: EncodingOptions, interrupter: Interrupter, mayContinue: (MediaTime) -> Bool
    ) {
        do {
            let asset = try Asset.open(input, interrupter: interrupter)
            report(.opened(asset.info))
            if let duration = asset.info.duration, offset >= duration, offset.isPositive {
                remainingOffset = offset - duration
                end = start + duration.scaled(by: 1 / rate)
                report(.ended(end: end, remainingOffset: remainingOffset))
                return
            }
            let original = options.keepsOriginals && rate == 1 ? try asset.startPackets() : nil
            if offset.isPositive { try asset.seek(to: offset) }
            remainingOffset = .zero
            let isThrough = try original.map { try send(asset, as: $0, mayContinue: mayContinue) } ?? false
            if !isThrough { try encode(asset, options: options, mayContinue: mayContinue) }
        } catch {
            if interrupter.wasInterrupted { return }
            report(.failed(message: "\(error)"))
            remainingOffset = .zero
        }
        report(.ended(end: end, remainingOffset: .zero))
    }

    private func encode(_ asset: Asset, options: EncodingOptions, mayContinue: (MediaTime) -> Bool) throws {
        let info = asset.info
        let stretcher = rate == 1 ? nil : try TimeStretcher(rate: rate, sampleRate: info.sampleRate)
        var converter =
            options.codec == .opus && info.sampleRate != 48_000
            ? SampleRateConverter(sourceRate: info.sampleRate, targetRate: 48_000) : nil
        let encoder = try Codecs.makeEncoder(
            codec: options.codec, sourceRate: converter == nil ? info.sampleRate : 48_000, channels: 2,
            bitDepth: stretcher == nil ? options.bitDepth(ofSource: info.bitDepth) : TimeStretcher.bitDepth,
            options: options.encoder)
        var writer = PacketWriter(format: encoder.format, base: stretcher == nil ? start + asset.currentTime : begin)
        end = writer.position
        var failure: (any Error)?
        do {
            while mayContinue(end), let block = try asset.read(maximumFrames: Self.readFrames) {
                let stretched = try stretcher?.process(block.samples) ?? block.samples
                emit(try encoder.encode(options.scaled(converter?.process(stretched) ?? stretched)), with: &writer)
            }
            guard mayContinue(.lowest) else { return }
            try Self.checkDamage(of: asset)
        } catch {
            failure = error
        }
        if let rest = try stretcher?.finish() {
            emit(try encoder.encode(options.scaled(converter?.process(rest) ?? rest)), with: &writer)
        }
        if let rest = converter?.finish() { emit(try encoder.encode(options.scaled(rest)), with: &writer) }
        emit(try encoder.finish(), with: &writer)
        if let failure { throw failure }
    }

    /// - Throws: `AssetError.damaged` where something was. A live stream is joined in the middle of a packet: nobody calls
    ///   that damaged.
    static func checkDamage(of asset: Asset) throws(AssetError) {
        guard asset.damageCount > 0, asset.info.duration != nil else { return }
        let places = asset.damageCount == 1 ? "one place" : "\(asset.damageCount) places"
        throw .damaged(asset.input.name, reason: "\(places) could not be decoded")
    }

    private func emit(_ packets: [EncodedPacket], with writer: inout PacketWriter) {
        let buffers = packets.compactMap { writer.buffer(for: $0) }
        end = writer.position
        if !buffers.isEmpty { report(.packets(buffers)) }
    }
}

extension MediaTime {
    /// Earlier than any place in a programme.
    static var lowest: MediaTime { MediaTime(frame: -Self.maximumSeconds, sampleRate: 1) }
}
