/// Some channels of a card, as a device of their own: the device named `hw:1,0#3-4`.
package final class CardPart: OutputDevice {
    package let actual: OutputParameters
    package let sleeper: any OutputSleeper
    /// The card wakes all of its rooms after each period.
    package let wakePeriods = 1
    private let card: SharedCard
    private let part: Int
    private var isOpen = true

    /// Takes the channels of `card`, for a device named `name`.
    ///
    /// - Throws: `OutputError` when the card is lost, lacks the channels or plays another room on one of them.
    package init(_ range: ChannelRange, of card: SharedCard, name: String) throws(OutputError) {
        self.card = card
        part = try card.attach(range, device: name)
        var actual = card.actual
        (actual.channelCount, actual.name) = (range.indices.count, name)
        self.actual = actual
        sleeper = card.sleeper
    }

    deinit { close() }

    package var failure: OutputError? { card.failure }

    package func start() throws(OutputError) { try card.start(part) }

    package func setWakePeriods(_ periods: Int) {}

    package func wait(timeoutNanoseconds: Int64) -> OutputWait { card.wait(part, nanoseconds: timeoutNanoseconds) }

    package func timing() -> OutputTiming? { card.timing(of: part) }

    package func write(_ bytes: UnsafeRawBufferPointer, frames: Int) -> Int {
        card.write(bytes, frames: frames, to: part)
    }

    package func recover(silence: Int) throws(OutputError) { try card.recover(part, silence: silence) }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        SharedCards.detach(part, of: card)
    }
}
