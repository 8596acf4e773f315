package import TuttiRemote
package import TuttiSchema

/// The service behind a server of MPD's protocol. All of it may block.
package protocol MPDHouse: Sendable {
    /// What is known now.
    var model: MPDModel { get }
    /// Seconds of the clock that the model is told.
    var now: Double { get }
    /// Asks the service. When it returns, the model has what came of it.
    ///
    /// - Throws: that it does not answer, or why it refuses.
    func ask(_ request: ControlRequest) throws(ServiceClient.Failure) -> ControlResponse
    /// Changes what clients alone know: the partitions that the service does not.
    func edit(_ change: (inout MPDModel) throws(MPDFault) -> [MPDChange]) throws(MPDFault)
    /// What a path of the service's host leads to.
    func kind(ofFile path: String) -> MPDFileKind
    /// The music files of a folder and what is in it, in order, at most so many; and the tracks of playlists.
    func files(in folder: String, most: Int) -> [String]
    /// The picture of a music file, JPEG; nil if it has none.
    func picture(ofFile path: String) -> [UInt8]?
}

/// What a path leads to.
package enum MPDFileKind: Sendable {
    case file
    case folder
    /// Nothing, or nothing that may be read.
    case none
}
