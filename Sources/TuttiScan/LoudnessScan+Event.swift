package import TuttiAssets
package import TuttiStore

extension LoudnessScan {
    /// What a scan tells, in no particular order of the files; the tracks of an album come together, before it.
    package enum Event: Sendable {
        /// A track, and whether its file was measured earlier and has not changed since.
        case track(AssetInput, MeasuredTrack, isKnown: Bool)
        /// An album that has more than one of the tracks, or is measured as one.
        case album(MeasuredTrack.Album, folder: String, isKnown: Bool)
        /// A file that cannot be measured, or not all of it, and why.
        case failed(AssetInput, message: String)
        /// How far it has come.
        case progress(Progress)
    }

    /// How far a scan has come.
    package struct Progress: Sendable {
        /// Tracks to be measured; those that are known do not count.
        package var total: Int
        /// Tracks that have been measured.
        package var done = 0
        /// Seconds of sound that have been measured.
        package var seconds = 0.0

        /// Nothing yet, of so many.
        package init(total: Int) { self.total = total }
    }
}
