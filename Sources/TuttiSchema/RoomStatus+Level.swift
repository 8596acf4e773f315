extension RoomStatus {
    /// How loud the room is, in words: `40`, `60 (its limit)`, `100 (fixed)`, `muted`; nil while that is not known.
    ///
    /// - Parameter showsMute: whether it counts that it is muted.
    package func level(showsMute: Bool) -> String? {
        guard let volume = self.volume else { return nil }
        if showsMute, self.muted == true { return "muted" }
        let number = "\(Int(volume.rounded()))"
        if self.volumeFixed == true { return number + " (fixed)" }
        return number + (self.maxVolume.map { volume >= $0 } ?? false ? " (its limit)" : "")
    }
}
