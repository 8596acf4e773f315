import Dispatch
import Foundation
import Synchronization
import Testing
import TuttiAssets
import TuttiCore
import TuttiProduction

/// The sound that a producer makes of a work item, as bytes of 16 or 24 bits, and what it left.
struct MadeSound {
    var data = Data()
    var bytesPerSample = 0
    var codecs: Set<AudioFormat.Codec> = []
    var ending: CrossfadeTail?
    var end: MediaTime?
    var loudness: TrackLoudness?

    /// Full scale is 1.
    var samples: [Double] {
        stride(from: 0, to: data.count, by: bytesPerSample).map { place in
            var value: Int32 = 0
            for byte in data[place..<place + bytesPerSample].reversed() { value = value << 8 | Int32(byte) }
            let unused = Int32(32 - 8 * bytesPerSample)
            return Double((value << unused) >> unused) / Double(1 << (8 * bytesPerSample - 1))
        }
    }

    /// Has a producer make these, one after the other.
    static func make(_ items: [ProducerItem], options: EncodingOptions) throws -> [MadeSound] {
        let made = Mutex<[Int: MadeSound]>([:])
        let done = DispatchSemaphore(value: 0)
        let producer = Producer(options: options) { serial, event in
            made.withLock { made in
                switch event {
                case .opened(let info): made[serial, default: MadeSound()].loudness = info.loudness
                case .packets(let buffers):
                    for buffer in buffers {
                        made[serial]?.data += buffer.data
                        made[serial]?.codecs.insert(buffer.format.codec)
                        made[serial]?.bytesPerSample = (buffer.format.bytesPerFrame ?? 0) / 2
                    }
                case .ending(let ending): made[serial]?.ending = ending
                case .ended(let end, _): made[serial]?.end = end
                default: break
                }
            }
            switch event {
            case .ending, .ended: done.signal()
            default: break
            }
        }
        try producer.run()
        defer { producer.stop() }
        for item in items {
            producer.begin(item, limit: MediaTime(frame: 3_600, sampleRate: 1))
            #expect(done.wait(timeout: .now() + 60) == .success)
        }
        return made.withLock { made in items.map { made[$0.serial] ?? MadeSound() } }
    }
}
