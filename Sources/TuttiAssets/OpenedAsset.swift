import Synchronization

/// An asset that was opened to find out whether it can be played, for whoever plays it: so it is opened once, which matters where that is
/// slow, or where the bytes come only once.
package final class OpenedAsset: Sendable {
    private let input: AssetInput
    private let asset: Mutex<Asset?>

    private init(_ asset: sending Asset) {
        input = asset.input
        self.asset = Mutex(asset)
    }

    /// Opens an input.
    ///
    /// - Returns: nil for standard input and pipes that can be read. Those are for the player alone: whoever opened and left them would
    ///   take the data along.
    /// - Throws: as `Asset.open`.
    package static func open(_ input: AssetInput, interrupter: Interrupter) throws(AssetError) -> OpenedAsset? {
        guard !input.isReadOnce else {
            if !input.isStandardInput { try LocalFile.check(input.uri) }
            return nil
        }
        return OpenedAsset(try Asset.open(input, interrupter: interrupter))
    }

    /// The asset, for the first to play this input; nil for all others, and once its reading has been stopped.
    package func take(for input: AssetInput) -> sending Asset? {
        guard input == self.input else { return nil }
        return asset.withLock { asset in
            let taken = asset
            asset = nil
            return taken?.interrupter.wasInterrupted == false ? taken : nil
        }
    }
}
