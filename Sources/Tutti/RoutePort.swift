package import TuttiCore
package import TuttiEngine
package import TuttiPlayback
package import TuttiSchema

/// A route as one renderer has it open: takes buffers, and plays them on the lines that it is given.
///
/// Calls come from one renderer, one at a time and in order, and do not block. Lines are anchored in host time; at
/// their instants, one line takes over from the other with ramps of a few milliseconds.
package protocol RoutePort: AnyObject, Sendable {
    /// How far ahead a start must lie to be heard from its first frame on, in ns; it may change.
    var startLead: Int64 { get }
    /// How far ahead a stop must lie to be kept to, in ns.
    var stopLead: Int64 { get }
    /// How long before its instant a line should be known that follows a running one, in ns.
    var handoverLead: Int64 { get }
    /// What buffers are to go through before the port takes them: where it plays far from here. Nil where they need not.
    var engine: AudioEngine? { get }
    /// Has all sound go through an engine, which may be late: that is made up for. Called before anything else.
    ///
    /// - Throws: `invalidRendering` when the engine cannot be used, or stand here.
    func process(through engine: AudioEngine) throws(PlaybackError)
    /// Takes a buffer in; what overlaps takes the place of what was there.
    func insert(_ buffer: SampleBuffer)
    /// What lies at `time` or behind it may have been decoded too early.
    func reconsider(from time: MediaTime)
    /// Plays on `line` from its instant on.
    func set(_ line: Timebase)
    /// Drops the audio from `time` on, or all of it; says whether it came in time. Where it did not, the audio is as it
    /// was; that is never said inside the call.
    func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void)
    /// Nothing follows behind `time`.
    func setEnd(_ time: MediaTime)
    /// Goes to another level, as a linear factor, within `rampMilliseconds`.
    func setGain(_ gain: Float, rampMilliseconds: Int)
    /// Stops at once, and gives everything back. May wait for threads.
    func close()
}

extension RoutePort {
    package var engine: AudioEngine? { nil }

    package func process(through engine: AudioEngine) throws(PlaybackError) {
        throw .invalidRendering("no engine can stand before this output")
    }
}

/// What happens to a port of its own accord.
package enum RoutePortEvent: Sendable {
    /// The device went away; it is looked for, and the programme goes on in time.
    case lost(PlaybackError)
    /// The device is back.
    case restored
    /// A room of several came, went, changed its state or has something to say; the route plays on in the others.
    case room(name: String, RoomEvent, message: String)
    /// The device is about to be configured anew: close the port.
    case suspended
    /// The device has been configured anew: open another port.
    case resumed
}

/// Takes the events of a port; called on any thread, never from inside a call to the port.
package typealias RoutePortHandler = @Sendable (RoutePortEvent) -> Void
