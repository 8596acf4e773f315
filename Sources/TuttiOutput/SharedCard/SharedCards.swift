import Synchronization
import TuttiHost

/// The cards that this process shares out among rooms, by name.
enum SharedCards {
    private static let cards = Mutex([String: SharedCard]())

    /// Opens some channels, and the card if no other room has it open.
    ///
    /// - Throws: `OutputError`.
    static func open(
        _ range: ChannelRange, request: OutputRequest, clock: HostClock
    ) throws(OutputError) -> sending any OutputDevice {
        try cards.withLock { cards throws(OutputError) in
            if let card = cards[range.card] { return try CardPart(range, of: card, name: request.device) }
            var whole = request
            (whole.device, whole.wantsAllChannels) = (range.card, true)
            let card = SharedCard(try OutputDevices.openWhole(whole, clock: clock))
            do throws(OutputError) {
                let part = try CardPart(range, of: card, name: request.device)
                cards[range.card] = card
                return part
            } catch {
                card.close()
                throw error
            }
        }
    }

    /// A room is done with its part of `card`.
    static func detach(_ part: Int, of card: SharedCard) {
        cards.withLock { cards in
            guard card.detach(part), let name = cards.first(where: { $0.value === card })?.key else { return }
            cards[name] = nil
        }
    }
}
