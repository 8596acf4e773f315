import Synchronization
package import TuttiAssets
package import TuttiCore
package import TuttiEngine

/// An input as the engine's players read it. A file is open only while it is read, so that there may be many.
///
/// Guard of `@unchecked Sendable`: what changes is in the `Mutex`.
package final class ExportInput: AudioFileReading, @unchecked Sendable {
    private struct State {
        var asset: Asset?
        /// Frames given out.
        var position: Int64 = 0
        var isAtEnd = false
        var failure: AssetError?
        var damageCount = 0
    }

    /// What is known of it.
    package let info: AssetInfo
    package let input: AssetInput
    /// Frames, where that is certain; as many as can be read otherwise.
    package let length: Int64
    private let interrupter: Interrupter
    private let state: Mutex<State>

    /// What players take for "until nothing comes".
    private static let unknownLength = Int64.max / 4

    /// Opens an input and looks at its beginning.
    package init(_ input: AssetInput, interrupter: Interrupter) throws(AssetError) {
        let asset = try Asset.open(input, interrupter: interrupter)
        info = asset.info
        self.input = input
        self.interrupter = interrupter
        let frames = info.isDurationExact ? info.duration?.frame(at: info.sampleRate) : nil
        length = frames.flatMap { $0 > 0 ? $0 : nil } ?? Self.unknownLength
        // What comes only once stays open.
        state = Mutex(State(asset: input.isReadOnce || input.isRemote ? asset : nil))
    }

    package var format: EngineFormat { EngineFormat(sampleRate: info.sampleRate, channelCount: 2) }

    /// Frames that it has, once it has been read to its end; nil before.
    var frameCount: Int64? { state.withLock { $0.isAtEnd || $0.position >= length ? $0.position : nil } }

    /// Why it could not be read to its end; nil where it could.
    var failure: AssetError? { state.withLock { $0.failure } }

    /// Damaged packets, which are silent.
    var damageCount: Int { state.withLock { $0.damageCount } }

    package func read(frameCount: Int) throws -> PCMBlock {
        state.withLock { state in
            let none = PCMBlock(samples: [], channelCount: 2, sampleRate: info.sampleRate)
            guard !state.isAtEnd else { return none }
            do throws(AssetError) {
                let asset = try open(&state)
                defer { state.damageCount = max(state.damageCount, asset.damageCount) }
                if let block = try asset.read(maximumFrames: frameCount) {
                    state.position += Int64(block.frameCount)
                    if state.position >= length { state.asset = nil }
                    return block
                }
            } catch {
                state.failure = error
            }
            state.isAtEnd = true
            state.asset = nil
            return none
        }
    }

    package func seek(to frame: Int64) throws {
        try state.withLock { state in
            state.isAtEnd = false
            guard frame != state.position else { return }
            do throws(AssetError) {
                try open(&state).seek(to: MediaTime(frame: frame, sampleRate: info.sampleRate))
                state.position = frame
            } catch {
                state.failure = error
                throw error
            }
        }
    }

    private func open(_ state: inout State) throws(AssetError) -> Asset {
        if let asset = state.asset { return asset }
        let asset = try Asset.open(input, interrupter: interrupter)
        if state.position > 0 { try asset.seek(to: MediaTime(frame: state.position, sampleRate: info.sampleRate)) }
        state.asset = asset
        return asset
    }
}
