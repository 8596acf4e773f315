/// Why an engine or a node refuses a call. Nothing has changed then.
public enum AudioEngineError: Error, Sendable, Equatable {
    /// The format is outside `EngineFormat.Limits`.
    case invalidFormat(EngineFormat)
    /// Channels can be converted between mono and stereo only.
    case formatMismatch(source: EngineFormat, destination: EngineFormat)
    /// The node is not attached to this engine.
    case notAttached(node: String)
    /// The node is attached to another engine, or to this one already.
    case alreadyAttached(node: String)
    /// The engine's own mixer, input and output cannot be detached.
    case permanentNode(node: String)
    /// An engine has at most so many nodes.
    case tooManyNodes(maximum: Int)
    /// The node has no such bus.
    case noSuchBus(node: String, bus: Int)
    /// The connection would lead a node's sound back to itself.
    case cycle(from: String, to: String)
    /// The node's input, or a player's output, leads nowhere.
    case unconnected(node: String)
    /// One output cannot feed inputs behind different sample-rate conversions.
    case fanOutAcrossRates(node: String)
    /// The settings of an effect cannot be used.
    case invalidEffect(node: String, reason: String)
    /// A parameter is outside its limits.
    case outOfRange(name: String, value: Double, allowed: ClosedRange<Double>)
    /// The call needs a running engine.
    case notRunning
    /// The call needs a stopped engine.
    case running
    /// The call needs manual rendering in this mode.
    case notInManualMode(AudioEngine.ManualRenderingMode)
    /// More frames than the engine's maximum, or none.
    case invalidFrameCount(Int, maximum: Int)
    /// The buffer has another format, or not as much room as is needed.
    case unsuitableBuffer(format: EngineFormat, capacity: Int)
    /// The engine has neither an output nor manual rendering.
    case noOutput
    /// The output cannot start.
    case outputFailed(String)
    /// A player has at most so many buffers and files in its schedule.
    case scheduleFull(maximum: Int)
    /// The segment is not inside the file, or has no frames.
    case invalidSegment(start: Int64, frameCount: Int64, length: Int64)
    /// The bus has a tap already.
    case tapExists(node: String)
}

extension AudioEngineError: CustomStringConvertible {
    /// What happened and what to do, in one line.
    public var description: String {
        switch self {
        case .invalidFormat(let format):
            "\(format) cannot be processed; use 8000 to 192000 Hz and 1 to 8 channels"
        case .formatMismatch(let source, let destination):
            "\(source) cannot become \(destination); only mono and stereo convert, use a MatrixNode"
        case .notAttached(let node): "\(node) is not attached to this engine; attach it first"
        case .alreadyAttached(let node): "\(node) is attached to an engine already; detach it first"
        case .permanentNode(let node): "\(node) belongs to the engine and stays attached"
        case .tooManyNodes(let maximum): "an engine has at most \(maximum) nodes; detach some"
        case .noSuchBus(let node, let bus): "\(node) has no bus \(bus)"
        case .cycle(let from, let to): "\(from) cannot feed \(to), whose sound it is made of"
        case .unconnected(let node): "\(node) is not connected; connect it first"
        case .fanOutAcrossRates(let node): "\(node) feeds paths of different sample rates; give them one rate"
        case .invalidEffect(let node, let reason): "\(node) cannot work like that: \(reason)"
        case .outOfRange(let name, let value, let allowed):
            "\(name) is \(value); use \(allowed.lowerBound) to \(allowed.upperBound)"
        case .notRunning: "the engine is not running; start it first"
        case .running: "the engine is running; stop it first"
        case .notInManualMode(let mode): "the engine does not render manually (\(mode)); enable that first"
        case .invalidFrameCount(let count, let maximum): "\(count) frames were asked for; ask for 1 to \(maximum)"
        case .unsuitableBuffer(let format, let capacity):
            "the buffer does not fit; it has to be \(format) with \(capacity) frames or more"
        case .noOutput: "the engine has no output; give it one, or enable manual rendering"
        case .outputFailed(let reason): "the output cannot start: \(reason)"
        case .scheduleFull(let maximum): "a player holds at most \(maximum) entries; wait for some to finish"
        case .invalidSegment(let start, let count, let length):
            "frames \(start) to \(start &+ count) are not in a file of \(length) frames"
        case .tapExists(let node): "\(node) has a tap already; remove it first"
        }
    }
}
