public import FoundationEssentials
import Synchronization
package import TuttiAssets
public import TuttiCore
public import TuttiPlayback
package import TuttiSender

/// Something to play: a file, or an address on the web. It belongs in the queue of one `QueuePlayer`, once.
///
/// What is known of it, and whether it can be played, turns out when the player opens it, minutes before it is heard
/// where its rooms hold that much.
public final class PlayerItem: Sendable, Identifiable {
    /// Whether the item can be played.
    public enum Status: Sendable, Hashable {
        /// It has not been opened.
        case unknown
        /// It was opened and is a piece of sound.
        case readyToPlay
        /// It cannot be played, or not to its end; `error` says why.
        case failed
    }

    private struct State {
        var info: AssetInfo?
        var status = Status.unknown
        var error: PlaybackError?
        /// Whose queue it is in.
        weak var player: Player?
    }

    package let input: AssetInput
    private let state = Mutex(State())
    private let broadcaster = Broadcaster<Status>()

    package init(_ input: AssetInput) { self.input = input }

    /// The item for an entry that came into a queue otherwise.
    package convenience init(_ item: QueueItem, in player: Player) {
        self.init(item.input)
        belong(to: player)
        if let info = item.info { opened(info) }
        if let failure = item.failure { failed(failure) }
    }

    /// The file at a path.
    public convenience init(path: String) { self.init(AssetInput(uri: path)) }

    /// A file, or an address of the web (`http`, `https`).
    public convenience init(url: URL) {
        self.init(AssetInput(uri: url.isFileURL ? url.path : url.absoluteString))
    }

    /// The path or address.
    public var uri: String { input.uri }

    /// Whether the item can be played, by what is known so far.
    public var status: Status { state.withLock { $0.status } }

    /// What is wrong with a failed item: always `PlaybackError.media`.
    public var error: PlaybackError? { state.withLock { $0.error } }

    /// The status now, and whenever it changes, for one listener.
    public var statuses: AsyncStream<Status> {
        state.withLock { broadcaster.subscribe(beginningWith: $0.status) }
    }

    /// How long it is; nil before it was opened and for live streams.
    public var duration: MediaTime? { state.withLock { $0.info?.duration } }

    /// From its tags; nil before it was opened.
    public var title: String? { state.withLock { $0.info?.title } ?? input.title }

    /// From its tags; nil before it was opened.
    public var artist: String? { state.withLock { $0.info?.artist } ?? input.artist }

    /// From its tags; nil before it was opened.
    public var album: String? { state.withLock { $0.info?.album } ?? input.album }
}

// MARK: What is loaded

extension PlayerItem {
    /// What all outputs hold of the item, in its own times, a second ago at most; nothing while it is in no queue.
    public var loadedTimeRanges: [TimeRange] {
        get async { await player?.loadedTimeRanges(of: self) ?? [] }
    }

    /// Whether all outputs hold enough of the item, from where it stands or from its beginning.
    public var bufferingState: BufferingState {
        get async { await player?.bufferingState(of: self) ?? BufferingState() }
    }

    /// Whether nothing of the item is held where it stands, or at its beginning.
    public var isPlaybackBufferEmpty: Bool { get async { await bufferingState.isPlaybackBufferEmpty } }

    /// Whether as much of the item is held as the outputs take, or all of it.
    public var isPlaybackBufferFull: Bool { get async { await bufferingState.isPlaybackBufferFull } }

    /// Whether enough of the item is held to play without stopping soon.
    public var isPlaybackLikelyToKeepUp: Bool { get async { await bufferingState.isPlaybackLikelyToKeepUp } }

    private var player: Player? { state.withLock { $0.player } }

    func belong(to player: Player) { state.withLock { $0.player = player } }
}

extension PlayerItem: QueueItemListener {
    package func opened(_ info: AssetInfo) {
        change { state in
            state.info = info
            (state.status, state.error) = (.readyToPlay, nil)
        }
    }

    package func failed(_ message: String) {
        change { state in (state.status, state.error) = (.failed, .media(message)) }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.status
            body(&state)
            if state.status != before { broadcaster.send(state.status) }
        }
    }
}
