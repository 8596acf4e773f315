package import TuttiAssets
import TuttiChain
package import TuttiCore
import TuttiEngine
import TuttiLoudness

/// Renders inputs through a chain of effects into a file, as fast as that can be done. After AVAssetExportSession.
///
/// The same inputs and settings give the same bytes. Used by one thread.
package final class ExportSession {
    /// What happens to the loudness and to peaks, behind the chain.
    package struct Levels: Sendable, Equatable {
        /// LUFS that the output shall have; nil to leave it.
        package var loudness: Double?
        /// dBTP that no peak exceeds; nil for no limiter, or `usualCeiling` where a gain needs one.
        package var ceiling: Double?

        /// dBTP of the limiter that a gain needs.
        package static let usualCeiling = -1.0

        package init(loudness: Double? = nil, ceiling: Double? = nil) {
            (self.loudness, self.ceiling) = (loudness, ceiling)
        }
    }

    /// Measuring passes with a limiter in the chain: it makes sound softer, which more gain makes up for.
    private static let maximumLimitedPasses = 3
    /// LU that are close enough.
    private static let tolerance = 0.05

    private let source: ExportSource
    private let levels: Levels
    private let interrupter: Interrupter
    private let onProgress: (ExportProgress) -> Void
    private var first: [ExportInput]
    private var renderedSeconds = 0.0
    private var report = ExportReport()
    /// Collects what is drawn; nil where nothing is.
    private var sketches: (before: ExportSketch, after: ExportSketch)?

    /// Opens all inputs.
    ///
    /// - Parameters:
    ///   - inputs: those of the source, opened already.
    ///   - interrupter: makes `run` throw `.interrupted`, from any thread.
    ///   - isDrawn: whether `figure` is wanted.
    /// - Throws: `.tooManyInputs`, `.readOnce`.
    package init(
        _ source: ExportSource, inputs: [ExportInput], levels: Levels = Levels(),
        interrupter: Interrupter = Interrupter(), isDrawn: Bool = false,
        onProgress: @escaping (ExportProgress) -> Void = { _ in }
    ) throws(ExportError) {
        let maximum = source.isMix ? AudioEngine.Limits.mixerInputs : PlayerNode.maximumScheduleCount
        guard source.inputs.count <= maximum else {
            throw .tooManyInputs(count: source.inputs.count, maximum: maximum)
        }
        if levels.loudness != nil, let once = source.inputs.first(where: \.isReadOnce) { throw .readOnce(once.name) }
        (self.source, self.levels, self.interrupter, self.onProgress) = (source, levels, interrupter, onProgress)
        first = inputs
        if isDrawn {
            sketches = (ExportSketch(sampleRate: source.sampleRate), ExportSketch(sampleRate: source.sampleRate))
        }
    }

    /// Opens the inputs of a source.
    ///
    /// - Throws: `.input` for the first that cannot be opened.
    package static func open(_ inputs: [AssetInput], interrupter: Interrupter) throws(ExportError) -> [ExportInput] {
        var opened: [ExportInput] = []
        for input in inputs {
            do throws(AssetError) {
                opened.append(try ExportInput(input, interrupter: interrupter))
            } catch {
                if interrupter.wasInterrupted { throw .interrupted }
                throw .input(error)
            }
        }
        return opened
    }

    /// Renders everything.
    ///
    /// - Returns: what the file has become.
    /// - Throws: `ExportError`; the file is not there then.
    package func run(
        to path: String, _ settings: AudioFileSettings, replacing: Bool
    ) throws(ExportError) -> ExportReport {
        var chain = source.chain
        if let ceiling = levels.ceiling, levels.loudness == nil {
            chain.effects.append(.limiter(Limiter(ceiling: ceiling)))
        }
        if let target = levels.loudness { chain = try reach(target) }
        let file: SoundFile
        do throws(AudioFileError) {
            file = try SoundFile(path, settings, replacing: replacing)
        } catch {
            throw .output(error)
        }
        do throws(ExportError) {
            try write(chain, to: file)
        } catch {
            file.discard()
            throw error
        }
        report.frameCount = file.frameCount
        report.sampleRate = settings.sampleRate
        report.clippedCount = file.clippedCount
        return report
    }

    /// What was rendered, before and after; nil where that was not wanted, or before `run`.
    package var figure: ExportFigure? {
        sketches.map { ExportFigure(before: $0.before, after: $0.after) }
    }

    // MARK: Passes

    private func write(_ chain: EffectChain, to file: SoundFile) throws(ExportError) {
        let meter = levels.loudness == nil ? nil : try meter()
        let sketches = sketches
        var tap: (@Sendable (PCMBuffer) -> Void)?
        if let before = sketches?.before { tap = { buffer in before.add(buffer.channel(0), buffer.channel(1)) } }
        try pass(chain, isMeasuring: false, tap: tap) { (samples) throws(ExportError) in
            try Self.add(samples, to: meter)
            sketches?.after.add(interleaved: samples)
            do throws(AudioFileError) { try file.write(samples) } catch { throw .output(error) }
        }
        do throws(AudioFileError) { try file.close() } catch { throw .output(error) }
        report.loudness?.after = meter?.integrated
        report.loudness?.truePeak = meter?.truePeak
    }

    /// The chain with the gain that makes it as loud as is wanted, and a limiter where peaks would be too high.
    private func reach(_ target: Double) throws(ExportError) -> EffectChain {
        let (loudness, peak) = try measure(source.chain)
        let ceiling = levels.ceiling ?? Levels.usualCeiling
        var gain = target - loudness
        let isLimited = (peak ?? -.infinity) + gain > ceiling
        if isLimited {
            for _ in 0..<Self.maximumLimitedPasses {
                let (reached, _) = try measure(Self.chain(source.chain, gain: gain, ceiling: ceiling))
                let missing = target - reached
                guard abs(missing) > Self.tolerance else { break }
                gain += missing
            }
        }
        report.loudness = ExportReport.Loudness(before: loudness, gain: gain, isLimited: isLimited)
        return Self.chain(source.chain, gain: gain, ceiling: isLimited ? ceiling : nil)
    }

    private static func chain(_ chain: EffectChain, gain: Double, ceiling: Double?) -> EffectChain {
        var result = chain
        // One effect has a limit, several have none.
        var rest = gain
        while abs(rest) > 0 {
            let step = min(max(rest, EffectChain.Limits.gains.lowerBound), EffectChain.Limits.gains.upperBound)
            result.effects.append(.gain(step))
            rest -= step
        }
        if let ceiling { result.effects.append(.limiter(Limiter(ceiling: ceiling))) }
        return result
    }

    private func measure(_ chain: EffectChain) throws(ExportError) -> (loudness: Double, peak: Double?) {
        let meter = try meter()
        try pass(chain, isMeasuring: true) { (samples) throws(ExportError) in try Self.add(samples, to: meter) }
        guard let loudness = meter.integrated else { throw .silent }
        return (loudness, meter.truePeak)
    }

    private func meter() throws(ExportError) -> LoudnessMeter {
        do throws(LoudnessError) {
            return try LoudnessMeter(channelCount: 2, sampleRate: source.sampleRate)
        } catch {
            throw .engine(error.description)
        }
    }

    private static func add(_ samples: UnsafeBufferPointer<Float>, to meter: LoudnessMeter?) throws(ExportError) {
        do throws(LoudnessError) { try meter?.add(samples) } catch { throw .engine(error.description) }
    }

    /// Renders all inputs through a chain.
    private func pass(
        _ chain: EffectChain, isMeasuring: Bool, tap: (@Sendable (PCMBuffer) -> Void)? = nil,
        _ body: (UnsafeBufferPointer<Float>) throws(ExportError) -> Void
    ) throws(ExportError) {
        // The first pass has the inputs that are open already.
        let inputs = first.isEmpty ? try Self.open(source.inputs, interrupter: interrupter) : first
        first = []
        let graph = try ExportGraph(source, inputs: inputs, chain: chain, tap: tap)
        let rate = Double(source.sampleRate)
        let duration = Self.duration(inputs, isMix: source.isMix).map { $0 + Double(graph.tail) / rate }
        let before = renderedSeconds
        do throws(ExportError) {
            while try graph.next(body) != nil {
                if interrupter.wasInterrupted { throw .interrupted }
                let position = Double(graph.frameCount) / rate
                renderedSeconds = before + position
                onProgress(
                    ExportProgress(
                        isMeasuring: isMeasuring, position: position, duration: duration, rendered: renderedSeconds))
            }
        } catch {
            throw interrupter.wasInterrupted ? .interrupted : error
        }
        report.damaged = inputs.filter { $0.damageCount > 0 }.map { ($0.input.name, $0.damageCount) }
    }

    /// Seconds of all inputs; nil where nobody knows.
    private static func duration(_ inputs: [ExportInput], isMix: Bool) -> Double? {
        var total = 0.0
        for input in inputs {
            guard let duration = input.info.duration else { return nil }
            total = isMix ? max(total, duration.seconds) : total + duration.seconds
        }
        return total
    }
}
