import TuttiSchema

extension ServiceClient {
    /// Sets the volume of a group's loudest room; the others keep their distance to it.
    ///
    /// A step is what keeps the distances, so how loud they are now is asked first.
    package func setVolume(of group: String, to volume: Double) throws(Failure) {
        let levels = try ask(ControlRequest(.levels(room: nil), group: group)).status?.rooms.compactMap(\.volume) ?? []
        let change: VolumeChange = levels.max().map { .by(volume - $0) } ?? .to(volume)
        _ = try ask(ControlRequest(.volume(change, room: nil), group: group))
    }
}
