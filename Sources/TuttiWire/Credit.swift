package import TuttiCore

/// How much a sender may send: both bounds hold.
package struct Credit: Sendable, Equatable {
    /// Payload bytes that may have been sent on the media connection since it was opened.
    package var bytes: UInt64
    /// Packets must begin before this media time; nil when only bytes are bounded (the playhead is not known yet).
    package var horizon: MediaTime?

    /// A grant.
    package init(bytes: UInt64, horizon: MediaTime?) {
        self.bytes = bytes
        self.horizon = horizon
    }
}
