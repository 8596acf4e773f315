import TuttiAssets
import TuttiCodecs
import TuttiCore

extension ItemProducer {
    /// Packets reported at once.
    private static let batchSize = 16

    /// Sends the asset's packets as they are.
    ///
    /// - Returns: whether that is all of it; otherwise the rest of it has to be encoded.
    func send(_ asset: Asset, as format: AudioFormat, mayContinue: (MediaTime) -> Bool) throws -> Bool {
        var writer = PacketWriter(format: format, base: start + asset.currentTime)
        var batch: [SampleBuffer] = []
        defer { if !batch.isEmpty { report(.packets(batch)) } }
        end = writer.position
        while mayContinue(end) {
            switch try asset.readPacket() {
            case .packet(let packet):
                if let buffer = writer.buffer(for: packet) { batch.append(buffer) }
            case .silence(let frames):
                batch += try silence(frames: frames, sampleRate: format.sampleRate, at: writer.position)
                writer.skip(frames: frames)
            case .unsuitable:
                try asset.stopPackets()
                return false
            case nil:
                try Self.checkDamage(of: asset)
                return true
            }
            end = writer.position
            guard batch.count >= Self.batchSize else { continue }
            report(.packets(batch))
            batch = []
        }
        return true
    }

    /// Packets of silence in the place of something that is missing in the file.
    private func silence(frames: Int, sampleRate: Int, at time: MediaTime) throws(CodecError) -> [SampleBuffer] {
        let encoder = try Codecs.makeEncoder(codec: .flac, sourceRate: sampleRate, channels: 2, bitDepth: 16)
        var writer = PacketWriter(format: encoder.format, base: time)
        let packets = try encoder.encode([Float](repeating: 0, count: frames * 2)) + encoder.finish()
        return packets.compactMap { writer.buffer(for: $0) }
    }
}
