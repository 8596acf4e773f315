import Synchronization
import TuttiEffects

/// One buffer or segment in a player's schedule.
///
/// RT: constants, and atomics that the render thread stores. What that thread needs of a buffer or a feed stands beside
/// it as plain pointers, since a reference would be counted.
///
/// Guard of `@unchecked Sendable`: `planes` is memory of `buffer`, which nobody changes while it is scheduled.
final class PlayerEntry: @unchecked Sendable {
    /// Calls when something has happened to the entry.
    struct Completion: Sendable {
        let kind: PlayerNode.CompletionCallbackType
        let handler: @Sendable (PlayerNode.CompletionCallbackType) -> Void
    }

    /// Its number in the player's schedule, from 0.
    let serial: Int
    /// The player's time at which it begins; nil after what is before it.
    let start: Int64?
    let loops: Bool
    let interrupts: Bool
    let buffer: PCMBuffer?
    let feed: FileFeed?
    let planes: Planes?
    let stream: UnsafeMutablePointer<FileFeed.Shared>?
    /// A buffer's frames.
    let frameCount: Int
    let completion: Completion?
    /// The engine's time at which its last frame was rendered.
    let end = Atomic<Int64>(0)

    init(
        serial: Int, start: Int64?, options: PlayerNode.ScheduleOptions, buffer: PCMBuffer?, feed: FileFeed?,
        completion: Completion?
    ) {
        self.serial = serial
        self.start = start
        loops = options.contains(.loops)
        interrupts = options.contains(.interrupts)
        self.buffer = buffer
        self.feed = feed
        planes = buffer?.planes
        stream = feed?.shared
        frameCount = buffer?.frameLength ?? 0
        self.completion = completion
    }
}
