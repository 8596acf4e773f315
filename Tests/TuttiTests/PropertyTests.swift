import Foundation
import Testing
import Tutti
import TuttiCore

/// Any sequence of edits, seeks, flushes, stalls, route changes and automatic flushes plays what a simple model says,
/// frame by frame.
@Suite struct PropertyTests {
    /// A renderer and the model of it, told the same things.
    struct Trial {
        static let length = 30 * 48_000
        let studio: Studio
        let device = Device()
        var model = ReferenceModel(frames: Trial.length)
        var dice: SplitMix64
        var edition = 1
        /// Where the last data ended.
        var end = 0
        var history: [String] = []
        var checked = 0

        init(seed: UInt64) throws {
            studio = try Studio()
            dice = SplitMix64(seed: seed)
        }

        mutating func step() async throws {
            switch Int.random(in: 0..<24, using: &dice) {
            case 0..<7: try append(gap: 0)
            case 7: try append(gap: Int.random(in: 1...60_000, using: &dice))
            case 8, 9: try overwrite()
            case 10, 11: try await flushFrom()
            case 12: flush()
            case 13, 14: try seek()
            case 15: try command(running: !model.current.isRunning, media: nil, delay: 0)
            case 16: try command(running: true, media: nil, delay: Int.random(in: 0...20_000, using: &dice))
            case 17: try changeRoute()
            case 18: loseDevice()
            case 19: reconfigure()
            case 20: try detour()
            default: break
            }
            try render(Int.random(in: 1...20_000, using: &dice))
        }

        mutating func append(gap: Int) throws {
            let start = end + gap
            let length = Int.random(in: 2_000...72_000, using: &dice)
            guard start + length <= Trial.length else { return }
            try enqueue(start..<start + length)
            end = start + length
        }

        mutating func overwrite() throws {
            // As far ahead as a flush must be.
            let start = model.media + Int.random(in: 4_900...60_000, using: &dice)
            let length = Int.random(in: 2_000...30_000, using: &dice)
            guard model.scheduled.isEmpty, start + length <= end else { return }
            edition = edition % 200 + 1
            try enqueue(start..<start + length)
        }

        mutating func enqueue(_ range: Range<Int>) throws {
            history.append("\(model.now): enqueue \(range) edition \(edition)")
            try studio.renderer.enqueue(Material(edition: edition).buffer(range))
            model.enqueue(range, edition: edition)
        }

        mutating func flushFrom() async throws {
            guard model.scheduled.isEmpty else { return }
            let start = max(0, model.media + Int.random(in: -1_000...80_000, using: &dice))
            let succeeded = await studio.renderer.flush(fromSourceTime: frame(start))
            history.append("\(model.now): flush from \(start): \(succeeded)")
            let isFar = !model.current.isRunning || start >= model.media + 4_800
            #expect(succeeded == isFar, "\(history.suffix(8))")
            guard succeeded else { return }
            model.flush(from: start)
            edition = edition % 200 + 1
            end = min(end, start)
        }

        mutating func flush() {
            history.append("\(model.now): flush")
            studio.renderer.flush()
            model.flush(from: 0)
            edition = edition % 200 + 1
            end = model.media
        }

        mutating func seek() throws {
            let media = Int.random(in: 0...Trial.length - 200_000, using: &dice)
            if Bool.random(using: &dice) {
                flush()
                end = media
            }
            try command(running: true, media: media, delay: Int.random(in: 0...1, using: &dice) * 4_800)
        }

        mutating func command(running: Bool, media: Int?, delay: Int) throws {
            history.append(
                "\(model.now): rate \(running ? 1 : 0) at \(media.map(String.init) ?? "here") after \(delay)")
            let instant = studio.output.hostTime(ofFrame: Int64(model.now + delay))
            try studio.synchronizer.setRate(running ? 1 : 0, time: media.map(frame), atHostTime: instant)
            model.command(running, media: media, at: model.now + delay)
        }

        mutating func changeRoute() throws {
            history.append("\(model.now): another route")
            try studio.renderer.setRoute(device.route(studio.output))
            model.changeRoute()
        }

        mutating func loseDevice() {
            history.append("\(model.now): the device goes and comes")
            device.tell(.lost(.output("unplugged")))
            device.tell(.restored)
            expectFlush()
        }

        mutating func reconfigure() {
            history.append("\(model.now): the device is configured anew")
            device.tell(.suspended)
            device.tell(.resumed)
            model.changeRoute()
            expectFlush()
        }

        /// What was held is gone, and comes again from where the programme stands.
        private mutating func expectFlush() {
            guard device.isOpen else { return }
            #expect(studio.renderer.loadedTimeRanges.isEmpty && studio.renderer.status != .failed)
            model.flush(from: 0)
            edition = edition % 200 + 1
            end = model.media
        }

        /// A while at another rate, which is not looked at, and back: two automatic flushes.
        mutating func detour() throws {
            guard model.current.isRunning, model.scheduled.isEmpty else { return }
            let rate = Double.random(in: RenderSynchronizer.rates, using: &dice)
            let length = Int.random(in: 1...30_000, using: &dice)
            let media = Int.random(in: 0...Trial.length - 200_000, using: &dice)
            history.append("\(model.now): rate \(rate) for \(length), then back to \(media)")
            try studio.synchronizer.setRate(rate)
            #expect(studio.renderer.loadedTimeRanges.isEmpty)
            try studio.renderer.enqueue(Material().buffer(model.media..<model.media + 40_000))
            #expect(try studio.render(length).allSatisfy { abs($0) <= 1 })
            model.skip(length)
            try studio.synchronizer.setRate(1, time: frame(media))
            model.flush(from: 0)
            model.command(true, media: media, at: model.now)
            #expect(studio.renderer.loadedTimeRanges.isEmpty)
            edition = edition % 200 + 1
            end = media
        }

        mutating func render(_ count: Int) throws {
            let start = model.now
            let sound = try studio.render(count)
            for (index, expectation) in model.render(count).enumerated() {
                let wanted: Float
                switch expectation {
                case .anything: continue
                case .silence: wanted = 0
                case .sample(let sample): wanted = sample
                }
                checked += 1
                guard sound[index] == wanted else {
                    Issue.record(
                        "frame \(start + index) is \(sound[index]), not \(wanted), after \(history.suffix(14))")
                    throw PlaybackError.invalidRendering("see above")
                }
            }
        }
    }

    /// How many sequences are tried; more with TUTTI_TEST_SEEDS in the environment.
    static let seedCount = UInt64(ProcessInfo.processInfo.environment["TUTTI_TEST_SEEDS"] ?? "") ?? 24

    @Test(arguments: 1...max(1, seedCount))
    func anySequencePlaysWhatTheModelSays(seed: UInt64) async throws {
        var trial = try Trial(seed: seed)
        for _ in 0..<150 { try await trial.step() }
        #expect(trial.checked > 100_000)
    }
}
