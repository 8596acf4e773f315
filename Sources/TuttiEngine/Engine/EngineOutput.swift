public import TuttiEffects

/// A device that pulls sound from an engine.
public protocol EngineOutput: Sendable {
    /// What the device takes.
    var format: EngineFormat { get }
    /// The most frames of one pull, 1 … 8 192.
    var maximumFrameCount: Int { get }
    /// Frames between a pull and what is heard.
    var latency: Int { get }

    /// Begins to pull. `pull` is to be called by one thread at a time, with planes of the format's channels, and fills
    /// all frames; it allocates nothing and takes no lock.
    func start(pull: @escaping @Sendable (_ frameCount: Int, _ planes: Planes) -> Void) throws

    /// Pulls no more once it returns.
    func stop()
}
