import Dispatch
package import TuttiAssets
package import TuttiHost
import TuttiLive
package import TuttiRooms
import TuttiSender
package import TuttiTrust
package import TuttiWire

/// How a house finds out, before it touches anything, which rooms are there and which inputs can be played.
package struct RoomNetwork: Sendable {
    /// Rooms by name, from the network.
    package var find: @Sendable (Set<String>) async -> RoomResolver.Findings
    /// A look at a speaker, of a room whose host is known.
    package var look: @Sendable (RoomAddress) async -> Result<RoomLook, SenderError>
    /// The same, with the order of a clock, which the speaker takes if it knows none and nobody plays there.
    package var share: @Sendable (RoomAddress, ClockAnnouncement) async -> Result<RoomLook, SenderError>
    /// Opens an input, which shows that it can be played; nil for one that only the player may open. The flag is
    /// whether it is played at once.
    package var open: @Sendable (AssetInput, Bool, Interrupter) async -> Result<OpenedAsset?, AssetError>

    /// A network of these ways to find out.
    package init(
        find: @escaping @Sendable (Set<String>) async -> RoomResolver.Findings,
        look: @escaping @Sendable (RoomAddress) async -> Result<RoomLook, SenderError>,
        share: @escaping @Sendable (RoomAddress, ClockAnnouncement) async -> Result<RoomLook, SenderError>,
        open: @escaping @Sendable (AssetInput, Bool, Interrupter) async -> Result<OpenedAsset?, AssetError>
    ) {
        self.find = find
        self.look = look
        self.share = share
        self.open = open
    }

    /// This host's network and files.
    package static func system(clock: HostClock, trust: Membership?) -> RoomNetwork {
        RoomNetwork(
            find: { await RoomResolver.find($0, as: trust) },
            look: { address in
                await Self.aside { () throws(SenderError) in try RoomLook(at: address, as: trust, clock: clock) }
            },
            share: { address, order in
                await Self.aside { () throws(SenderError) in
                    try RoomLook(at: address, sharing: order, as: trust, clock: clock)
                }
            },
            open: { input, isToBePlayed, interrupter in
                await Self.aside { () throws(AssetError) in
                    if input.isLive {
                        try LiveSource.check(LiveAddress(input.uri), name: input.name, clock: clock)
                        return nil
                    }
                    return try OpenedAsset.open(input, interrupter: interrupter, isToBePlayed: isToBePlayed)
                }
            })
    }

    /// Does something that blocks, on a thread where nobody waits.
    static func aside<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result(catching: body))
            }
        }
    }
}
