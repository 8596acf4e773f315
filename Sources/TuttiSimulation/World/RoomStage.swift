/// What a room's renderer has of the world: its card, the truth about what played, and the faults that were planted
/// in it.
final class RoomStage: @unchecked Sendable {
    var card: SimulatedCard
    var truth = RoomTruth()
    /// Names of the scenario's songs.
    let songs: [String]
    /// Nanoseconds that the sound is late by a planted fault, unknown to the program.
    var plantedLateness: Int64 = 0
    /// Whether, every ten seconds, sound is left out, or played twice, by a planted fault.
    var leavesOut = false
    var repeats = false
    /// The group time that the leader of a timescale has now, if that can be told.
    var trueGroupTime: (UInt64) -> Int64? = { _ in nil }
    /// Names the programme that the room plays.
    var stream: () -> UInt32 = { 0 }

    init(card: SimulatedCard, songs: [String]) {
        self.card = card
        self.songs = songs
    }
}
