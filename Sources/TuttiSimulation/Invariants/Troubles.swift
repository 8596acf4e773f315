/// When what disturbs a machine happened to it last, in nanoseconds since the beginning.
package struct Troubles: Sendable, Equatable {
    /// Long before the beginning.
    static let never = Int64.min / 2

    /// Its process was started, ended, frozen or thawed, or its host slept or woke.
    package var process = never
    /// Its link was cut, mended, made worse, or its side of a partition changed.
    package var link = never
    /// What came over its link had stood in a queue for longer than `Calm.longestQueue`.
    package var queue = never
    /// Its host's oscillator or wall clock was changed.
    package var oscillator = never
    /// It took up another timescale, or has its time from elsewhere: it follows another, or the one at the end of the
    /// way does.
    package var leader = never
    /// It took up another timescale.
    package var timescale = never
    /// The card ran dry, went or came back.
    package var card = never
    /// It was told another timebase, or made one, cut back what it held, or another sender took it.
    package var timebase = never
    /// A person asked for something that it is in the group of.
    package var command = never
}
