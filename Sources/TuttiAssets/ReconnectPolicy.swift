/// How often, and after what pauses, a broken connection is made again.
package struct ReconnectPolicy: Sendable {
    /// Seconds before each attempt for a file; there are as many attempts.
    package var filePauses = [0.2, 1, 2, 4]
    /// Seconds before each attempt for a live stream. Together two minutes: a router restarts, a station changes its
    /// programme.
    package var livePauses = [0.5, 1, 2, 4, 8, 15, 30, 30, 30]
    /// Bytes of a file after which a connection counts as good, and attempts are counted anew.
    package var goodBytes: Int64 = 65_536
    /// Seconds for which a live stream must play before attempts are counted anew: one that greets and leaves is no
    /// good.
    package var goodSeconds = 30.0
    /// Seconds of silence after which a connection counts as broken.
    package var silence = 10.0
    /// Seconds without an answer after which a server counts as gone.
    package var patience = 15.0
    /// Seconds that a playlist may take with all the lists that it names, from asking to the last byte.
    package var playlistSeconds = 15.0

    /// What programs use.
    package init() {}
}
