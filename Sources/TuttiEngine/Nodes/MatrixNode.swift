public import TuttiChain
import TuttiEffects

/// A mix of channels. It takes as many channels as the matrix has columns and gives as many as it has rows.
public final class MatrixNode: EffectNode, @unchecked Sendable {
    private let channels: GraphModel.FixedChannels

    /// A matrix of 1 … 8 rows and columns.
    ///
    /// - Throws: `invalidEffect` for another one.
    public init(_ matrix: ChannelMatrix, name: String = "matrix") throws(AudioEngineError) {
        guard Self.isUsable(matrix) else {
            throw .invalidEffect(node: name, reason: "a matrix has 1 to 8 rows and columns of finite gains")
        }
        channels = GraphModel.FixedChannels(input: matrix.inputCount, output: matrix.outputCount)
        super.init(name: name, .channels(matrix))
    }

    /// The gains.
    public var matrix: ChannelMatrix { if case .channels(let matrix) = effect { matrix } else { .stereo } }

    /// Sets the gains, of as many rows and columns.
    ///
    /// - Throws: `invalidEffect` for another shape.
    public func setMatrix(_ matrix: ChannelMatrix) throws(AudioEngineError) {
        let shape = GraphModel.FixedChannels(input: matrix.inputCount, output: matrix.outputCount)
        guard Self.isUsable(matrix), shape == channels else {
            throw .invalidEffect(
                node: name, reason: "the matrix keeps its \(channels.output) rows and \(channels.input) columns")
        }
        try set(.channels(matrix))
    }

    override var vertex: GraphModel.Vertex {
        GraphModel.Vertex(name: name, inputCount: 1, hasOutput: true, fixedChannels: channels)
    }

    private static func isUsable(_ matrix: ChannelMatrix) -> Bool {
        let sizes = EngineFormat.Limits.channelCounts
        return sizes.contains(matrix.outputCount) && sizes.contains(matrix.inputCount)
            && matrix.gains.allSatisfy { $0.count == matrix.inputCount && $0.allSatisfy(\.isFinite) }
    }
}
