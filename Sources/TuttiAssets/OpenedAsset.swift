import Synchronization
package import TuttiCore

/// An asset that was opened to find out whether it can be played, for whoever plays it: so it is opened once, which
/// matters where that is slow, or where the bytes come only once.
package final class OpenedAsset: Sendable {
    /// For so many milliseconds a pipe that nobody writes to yet is waited for.
    private static let patience = 1_000

    private let input: AssetInput
    private let asset: Mutex<Asset?>
    private let held: Mutex<HeldInput?>

    private init(_ input: AssetInput, _ asset: sending Asset?, held: HeldInput? = nil) {
        self.input = input
        self.asset = Mutex(asset)
        self.held = Mutex(held)
    }

    /// Opens an input.
    ///
    /// - Parameter isToBePlayed: whether it is played at once. If it is not, what can be read once is only looked for:
    ///   the player would find no more of it.
    /// - Returns: nil for standard input, and for what can be read once and is not to be played.
    /// - Throws: as `Asset.open`.
    package static func open(
        _ input: AssetInput, interrupter: Interrupter, isToBePlayed: Bool = true
    ) throws(AssetError) -> OpenedAsset? {
        if input.isStandardInput || input.isLive { return nil }
        guard input.isReadOnce else { return OpenedAsset(input, try Asset.open(input, interrupter: interrupter)) }
        try LocalFile.check(input.uri)
        guard isToBePlayed else { return nil }
        let held = try HeldInput(path: input.uri)
        guard held.isReadable(within: patience, interrupter: interrupter) else {
            return OpenedAsset(input, nil, held: held)
        }
        return OpenedAsset(input, try Asset.open(input, interrupter: interrupter))
    }

    /// The asset, for the first to play this input; nil for all others, once its reading has been stopped, for a pipe
    /// that nobody wrote to, and where another audio track is chosen than is read. What can be read once is as it is.
    package func take(for input: AssetInput, choice: TrackChoice = .automatic) -> sending Asset? {
        guard input == self.input else { return nil }
        let isReadOnce = input.isReadOnce
        return asset.withLock { asset in
            let taken = asset
            asset = nil
            guard let taken, !taken.interrupter.wasInterrupted else { return nil }
            return isReadOnce || taken.reads(choice) ? taken : nil
        }
    }

    /// Closes this once it is of no more use because somebody has opened `input`: it has been taken, or its connection
    /// will not keep.
    ///
    /// - Returns: whether it has been closed.
    package func close(after input: AssetInput) -> Bool {
        guard input == self.input || !self.input.isReadOnce else { return false }
        asset.withLock { $0 = nil }
        held.withLock { $0 = nil }
        return true
    }
}

extension Asset {
    /// Whether it reads the audio track that would be read if this were chosen.
    fileprivate func reads(_ choice: TrackChoice) -> Bool {
        guard let tracks = info.tracks, choice != self.choice else { return true }
        return tracks.audioIndex(chosenBy: choice).map { $0 == tracks.audioIndex } ?? (self.choice == .automatic)
    }
}
