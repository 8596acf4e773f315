import TuttiAssets
import TuttiCore

/// The tail of the track before, and how this track overlaps with it.
extension ItemProducer {
    /// Significant bits of what is mixed, at least: the sum is finer than its parts.
    private static let mixedBits = 24
    /// Frames mixed at once.
    private static let mixedFrames = 8192

    /// Produces the tail until this track comes in, then both; the whole tail where this track's length is not known.
    ///
    /// - Returns: the sound of the track after what has been mixed; nil when nothing of it has been produced.
    func join(_ head: CrossfadeTail, _ asset: Asset, until stop: MediaTime?) throws -> TrackSound? {
        hasJoined = true
        if item.offset.isPositive {
            // It came in before the place to begin at.
            try asset.seek(to: item.offset)
            end = item.rate == 1 ? start + asset.currentTime : item.begin
            return try mix(head, asset, until: stop)
        }
        guard let joint = head.ending(before: asset.info.duration?.scaled(by: 1 / item.rate)) else {
            playOut(head)
            return nil
        }
        let ending =
            joint.place > head.place ? joint.moved(to: joint.place, time: playOut(head, until: joint.place)) : head
        (start, end) = (ending.time, ending.time)
        report(.placed(start: start, head: ending))
        return try mix(ending, asset, until: stop)
    }

    /// Produces the tail alone, and this track after it.
    ///
    /// - Parameter stop: where this track comes into it; nil when it does not.
    /// - Returns: where it is over on the timeline.
    @discardableResult
    func playOut(_ head: CrossfadeTail, until stop: MediaTime? = nil) -> MediaTime {
        if stop == nil { report(.placed(start: head.end, head: nil)) }
        var options = options
        // What is mixed begins on the very frame.
        if stop != nil { options.keepsOriginals = false }
        let night = nightMode
        hasBegun = true
        let tail = ItemProducer(
            ProducerItem(head, serial: item.serial, night: night), options: options, interrupter: interrupter,
            memory: memory, stop: stop,
            report: { [report] event in
                switch event {
                case .packets: report(event)
                case .failed(let message): report(.tailFailed(message: message))
                default: break
                }
            }, mayContinue: mayContinue)
        tail.produce()
        (start, end) = (max(tail.end, head.time), max(tail.end, head.time))
        if stop == nil { report(.placed(start: start, head: nil)) }
        return end
    }

    private func mix(_ ending: CrossfadeTail, _ asset: Asset, until stop: MediaTime?) throws -> TrackSound {
        let beginning = try TrackSound(asset, rate: item.rate, sampleRate: wireRate, until: stop, gain: gain)
        var fade = Crossfade(
            frameCount: Int(ending.length.frame(at: beginning.sampleRate)),
            from: Int((end - start).frame(at: beginning.sampleRate)))
        let passed = Int((end - start).frame(at: beginning.sampleRate))
        guard fade.remaining > 0, let other = open(ending, sampleRate: beginning.sampleRate, skipping: passed) else {
            return beginning
        }
        try startRun(beginning.sampleRate, bitDepth: max(beginning.bitDepth, other.bitDepth, Self.mixedBits))
        var failure: (any Error)?
        while fade.remaining > 0, mayContinue(end) {
            let count = min(fade.remaining, Self.mixedFrames)
            var samples: [Float]?
            do {
                if failure == nil { samples = try beginning.read(maximumFrames: count) }
            } catch {
                failure = error
            }
            let heard = samples ?? [Float](repeating: 0, count: 2 * count)
            try encode(fade.mix(ending: other.read(frames: heard.count / 2), beginning: heard))
        }
        if let failure = other.failure { report(.tailFailed(message: "\(failure)")) }
        guard let failure else { return beginning }
        try finishRun()
        throw failure
    }

    private func open(_ ending: CrossfadeTail, sampleRate: Int, skipping count: Int) -> CrossfadeTailSound? {
        do {
            return try CrossfadeTailSound(ending, sampleRate: sampleRate, skipping: count, interrupter: interrupter)
        } catch {
            report(.tailFailed(message: "\(error)"))
            return nil
        }
    }
}
