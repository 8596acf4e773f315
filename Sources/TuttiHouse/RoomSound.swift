import TuttiAssets
package import TuttiChain
import TuttiEffects
package import TuttiHost
package import TuttiRooms
package import TuttiSchema
import TuttiSender
package import TuttiTrust

/// Shows and changes what the sound of a room goes through, for a service and for a program without one.
package struct RoomSound: Sendable {
    private let book: RoomBook
    private let trust: Membership?
    private let clock: HostClock

    /// - Parameter trust: the household of whoever asks; nil to speak in the clear.
    package init(book: RoomBook, trust: Membership?, clock: HostClock) {
        (self.book, self.trust, self.clock) = (book, trust, clock)
    }

    /// - Parameter edit: what is to change, with files of this host as impulse responses; nil to be told only.
    /// - Returns: how the room's effects stand then.
    /// - Throws: why a file cannot be used, or the speaker does not answer or take them. Nothing has changed then.
    package func carryOut(_ edit: EffectEdit?, in room: RoomAddress) async throws(SenderError) -> EffectsListing {
        let files = edit?.impulses ?? []
        let impulses = try await RoomNetwork.aside { () throws(SenderError) in
            var impulses: [String: ImpulseResponse] = [:]
            for file in files {
                do throws(AssetError) {
                    impulses[file] = try ImpulseFile.read(file)
                } catch {
                    throw .refused("\(error)", exitCode: 3)
                }
            }
            return impulses
        }.get()
        let place = try await book.find(room).mapError(\.error).get().address
        let visit = RoomEffectsVisit(place, as: trust, clock: clock)
        return try await RoomNetwork.aside { () throws(SenderError) in
            guard let edit else { return try visit.show() }
            return try visit.set(edit, impulses: impulses)
        }.get()
    }
}
