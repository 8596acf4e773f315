/// Something that sets how loud a card is. Used by one thread at a time.
package protocol MixerElement: AnyObject {
    /// Whether it can be switched off.
    var hasSwitch: Bool { get }

    /// Sets it to the nearest step that is not louder, and switches it on or off, if it can be.
    func set(_ level: MixerLevel) throws(OutputError)

    /// How it stands, if somebody else has changed it since it was set; nil otherwise.
    func change() throws(OutputError) -> MixerLevel?
}

/// How a mixer's element stands.
package struct MixerLevel: Sendable, Equatable {
    /// The factor that samples are multiplied by, 0 … 1.
    package var amplitude: Double
    /// Whether it is switched off; never of an element without a switch.
    package var isOff: Bool

    package init(amplitude: Double, isOff: Bool = false) { (self.amplitude, self.isOff) = (amplitude, isOff) }
}
