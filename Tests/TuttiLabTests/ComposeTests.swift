import Foundation
import Testing
import TuttiLab

@Suite("The composed piece")
struct ComposeTests {
    @Test("is as long as asked, below −1 dB of full scale, and the same every time", arguments: [44100, 48000])
    func shape(rate: Int) {
        let piece = Piece(seconds: 6, sampleRate: rate).render()
        #expect(piece.channels.count == 2)
        #expect(piece.frameCount == 6 * rate)
        let peak = piece.channels.joined().reduce(0) { max($0, abs($1)) }
        #expect(peak <= 0.891 && peak > 0.7)
        #expect(Piece(seconds: 6, sampleRate: rate).render().channels == piece.channels)
    }

    @Test("sounds from its first moment and ends in silence")
    func ends() {
        let piece = Piece(seconds: 6, sampleRate: 48000).render()
        let left = piece.channels[0]
        #expect(RoomTrack.level(left[0..<2400]) > 0.01)
        #expect(RoomTrack.level(left.suffix(48)) < 0.0005)
        let quiet = stride(from: 0, to: left.count - 96000, by: 4800).count {
            RoomTrack.level(left[$0..<$0 + 4800]) < 0.01
        }
        #expect(quiet == 0)
    }

    @Test("every moment can be told from every other: delays are found in it to 0.1 µs")
    func correlates() throws {
        let piece = Piece(seconds: 8, sampleRate: 48000).render()
        let signal = piece.correlationSignal()
        let delayed = SincInterpolator(ratio: 1).samples(of: signal, start: -2.37, step: 1, count: signal.count)
        let estimator = DelayEstimator(size: 8192, sampleRate: 48000)
        for start in stride(from: 4800, to: 6 * 48000, by: 9600) {
            let window = start..<start + 8192
            let found = try #require(estimator.delay(of: delayed[window], behind: signal[window], limit: 100))
            #expect(abs(found.samples - 2.37) < 0.1e-6 * 48000)
        }
    }
}
