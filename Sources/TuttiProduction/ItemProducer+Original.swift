import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiEncoding

extension ItemProducer {
    /// How sending packets as they are came to its end.
    enum Sending {
        /// The asset is over.
        case through
        /// The next packet reaches beyond the place to stop at.
        case stopped
        /// The rest of it has to be encoded.
        case unsuitable
    }

    /// Packets reported at once.
    private static let batchSize = 16

    /// Sends the asset's packets as they are.
    ///
    /// - Parameter stop: beyond what place on the timeline none may reach.
    func send(_ asset: Asset, as format: AudioFormat, until stop: MediaTime?) throws -> Sending {
        var writer = PacketWriter(format: format, base: end)
        var batch: [SampleBuffer] = []
        defer { if !batch.isEmpty { report(.packets(batch)) } }
        while mayContinue(end) {
            let step = try asset.readPacket()
            noteStreamTitle()
            if let stop, let step, end + step.duration(at: format.sampleRate) > stop { return .stopped }
            switch step {
            case .packet(let packet):
                if let buffer = writer.buffer(for: packet) { batch.append(buffer) }
            case .silence(let frames):
                batch += try silence(frames: frames, sampleRate: format.sampleRate, at: writer.position)
                writer.skip(frames: frames)
            case .unsuitable:
                try asset.stopPackets()
                return .unsuitable
            case nil: return .through
            }
            end = writer.position
            guard batch.count >= Self.batchSize else { continue }
            report(.packets(batch))
            batch = []
        }
        return .through
    }

    /// Packets of silence in the place of something that is missing in the file.
    private func silence(frames: Int, sampleRate: Int, at time: MediaTime) throws(CodecError) -> [SampleBuffer] {
        var run = PacketRun(
            try Codecs.makeEncoder(codec: .flac, sourceRate: sampleRate, channels: 2, bitDepth: 16), at: time)
        return try run.encode([Float](repeating: 0, count: frames * 2)) + run.finish()
    }
}

extension PacketStep {
    /// How long it plays.
    fileprivate func duration(at sampleRate: Int) -> MediaTime {
        switch self {
        case .packet(let packet): MediaTime(frame: Int64(packet.audibleFrameCount), sampleRate: sampleRate)
        case .silence(let frames): MediaTime(frame: Int64(frames), sampleRate: sampleRate)
        case .unsuitable: .zero
        }
    }
}
