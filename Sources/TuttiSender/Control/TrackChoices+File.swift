import TuttiAssets
package import TuttiCore
package import TuttiRooms

extension TrackChoices {
    /// Checks that the file of subtitles that is chosen is there, if one is.
    ///
    /// - Throws: `SenderError.noSuchTrack`.
    package func checkFile() throws(SenderError) {
        guard case .file(let path) = subtitle, !SubtitleTrack.isReadable(path) else { return }
        throw .noSuchTrack("\(path): no such file of subtitles, or it cannot be read")
    }
}
