import TuttiAssets
package import TuttiChain
import TuttiChainFiles
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
            do throws(AssetError) {
                return try Self.impulses(files)
            } catch {
                throw .refused("\(error)", exitCode: 3)
            }
        }.get()
        return try await carryOut(edit, impulses, in: room)
    }

    private func carryOut(
        _ edit: EffectEdit?, _ impulses: [String: ImpulseResponse], in room: RoomAddress
    ) async throws(SenderError) -> EffectsListing {
        let visit = RoomEffectsVisit(try await place(of: room), as: trust, clock: clock)
        return try await RoomNetwork.aside { () throws(SenderError) in
            guard let edit else { return try visit.show() }
            return try visit.set(edit, impulses: impulses)
        }.get()
    }

    /// - Parameter path: a file of this host. A chain, of whatever program, replaces all effects; the paths in it start
    ///   from its folder. Anything else is the impulse response of the room's convolution.
    /// - Returns: how the room's effects stand then.
    /// - Throws: why the file cannot be used, or the speaker does not answer or take it. Nothing has changed then.
    package func carryOut(file path: String, in room: RoomAddress) async throws(SenderError) -> EffectsListing {
        let (edit, impulses) = try await RoomNetwork.aside { () throws(SenderError) in try Self.read(path) }.get()
        return try await carryOut(edit, impulses, in: room)
    }

    private static func read(_ path: String) throws(SenderError) -> (EffectEdit, [String: ImpulseResponse]) {
        let edit: EffectEdit
        do throws(ChainError) {
            let isChain = try ChainFile.isChain(path)
            edit = try isChain ? .chain(ChainFile.readWithPaths(path)) : .convolution(Convolution(impulse: path))
        } catch {
            throw .refused("\(error)", exitCode: 2)
        }
        do throws(AssetError) {
            return (edit, try impulses(edit.impulses))
        } catch {
            throw .refused("\(error); a room takes a chain of effects or an impulse response", exitCode: 2)
        }
    }

    /// Has two rooms play one side each, or both sides again; in both rooms, or in neither. Each keeps its other effects,
    /// and its crossover to a subwoofer.
    ///
    /// - Returns: how the effects of the left and of the right room stand then.
    /// - Throws: why a speaker does not answer, or does not do it. Both rooms play as before then, unless the text says
    ///   otherwise.
    package func pair(
        _ left: RoomAddress, _ right: RoomAddress, isPair: Bool
    ) async throws(SenderError) -> [EffectsListing] {
        let places = [try await place(of: left), try await place(of: right)]
        guard places[0].endpoint != places[1].endpoint else {
            throw .refused("\(left.label): a stereo pair needs two rooms", exitCode: 2)
        }
        let visit = StereoPairVisit(
            left: RoomEffectsVisit(places[0], as: trust, clock: clock),
            right: RoomEffectsVisit(places[1], as: trust, clock: clock))
        return try await RoomNetwork.aside { () throws(SenderError) in try visit.set(isPair: isPair) }.get()
    }

    private func place(of room: RoomAddress) async throws(SenderError) -> RoomAddress {
        try await book.find(room).mapError(\.error).get().address
    }

    private static func impulses(_ files: [String]) throws(AssetError) -> [String: ImpulseResponse] {
        var impulses: [String: ImpulseResponse] = [:]
        for file in files { impulses[file] = try ImpulseFile.read(file) }
        return impulses
    }
}
