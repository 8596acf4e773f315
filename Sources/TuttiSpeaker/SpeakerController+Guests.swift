import Logging
import Synchronization
import TuttiCore
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// Announcements: senders that sit beside the one who owns the room, and whose sound is mixed in.
///
/// A guest has a programme, a decode worker and decks of its own, so what it does or fails to do reaches nothing of the
/// owner's. It brings no settings, and a clock only into a room that has none.
extension SpeakerController {
    /// The programme of whoever sits there.
    func programme(of seat: Seat) -> Programme {
        switch seat {
        case .owner: programme
        case .guest(let number): guests[number]
        }
    }

    /// How much of its programme may be held.
    func room(for seat: Seat) -> (seconds: Double, bytes: Int) {
        switch seat {
        case .owner: (configuration.bufferSeconds, configuration.bufferBytes)
        case .guest:
            (
                min(configuration.bufferSeconds, SpeakerConfiguration.guestBufferSeconds),
                min(configuration.bufferBytes, SpeakerConfiguration.guestBufferBytes)
            )
        }
    }

    // MARK: Coming and going

    func guestArrived(_ hello: Hello, at seat: Seat) {
        logger.info("announcement connected", metadata: ["sender": "\(hello.senderName)"])
        programme(of: seat).clear()
        keepDevice()
        let room = room(for: seat)
        var welcome = welcome
        (welcome.bufferSeconds, welcome.bufferBytes, welcome.loaded) = (room.seconds, UInt64(room.bytes), [])
        (welcome.timebase, welcome.end) = (nil, nil)
        perform(session.accept(welcome, at: seat))
        report(to: seat, isDue: true)
    }

    /// Whether an effect still counts: one that has been sent away meanwhile has no more to say.
    func isHeard(_ effect: SpeakerEffect, from guest: Int) -> Bool {
        switch effect {
        case .senderLeft, .senderLost: true
        default: session.guests.contains(guest)
        }
    }

    /// Whatever the reason: what it has not said yet is faded out.
    func guestGone(_ reason: String, from seat: Seat) {
        logger.info("announcement ended", metadata: ["reason": "\(reason)"])
        programme(of: seat).clear()
        if clockGiver == seat { clockGiver = nil }
        guard seated.isEmpty else { return }
        rememberRates()
        scheduleRelease()
    }

    // MARK: Clock

    /// Follows the owner's clock, and a guest's if the room has no other.
    func take(_ announcement: ClockAnnouncement, from connection: ConnectionID, at seat: Seat) {
        let isOther = announcement.timescale != self.announcement?.timescale
        guard seat != .owner else {
            clockGiver = nil
            follow(announcement, from: connection)
            // Guests stand on the clock before; they find the new one when they come again.
            if isOther { for guest in session.guests { dismiss(.guest(guest)) } }
            return
        }
        if seated == [seat], groupClock.standing == nil || clockGiver == seat {
            clockGiver = seat
            follow(announcement, from: connection)
        } else if isOther {
            dismiss(seat)
        }
    }

    private func dismiss(_ guest: Seat) {
        let message = "the room has just switched to another clock"
        perform(session.dismiss(guest, code: ControlMessage.FailureCode.busy, message: message))
    }

    // MARK: Sound

    /// Whether any guest sounds.
    var isAnnouncing: Bool { renderer.counters.soundingGuests.load(ordering: .relaxed) != 0 }

    /// Whether what comes from there sounds, without a lack of data.
    func isSounding(_ seat: Seat) -> Bool {
        let counters = renderer.counters
        switch seat {
        case .owner:
            return counters.audibleDecks.load(ordering: .relaxed) > 0 && !counters.isStarved.load(ordering: .relaxed)
        case .guest(let number):
            return counters.soundingGuests.load(ordering: .relaxed) >> UInt8(number & 7) & 1 == 1
        }
    }
}
