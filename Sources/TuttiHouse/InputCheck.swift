package import TuttiAssets
package import TuttiRooms
import TuttiSender

/// Whether there is anything to play, found out before anything that plays is touched.
package struct InputCheck: Sendable {
    let network: RoomNetwork

    /// Seconds in which an input must have been opened.
    private static let timeout = 10.0

    /// Opens the inputs one after the other until one can be played.
    ///
    /// - Parameter areToBePlayed: whether they are played at once; if not, nothing is taken out of what can be read
    ///   once.
    /// - Returns: that one, for the player; nil where only the player may open it.
    /// - Throws: what is wrong with the first, with exit code 3, when none can.
    @discardableResult
    package func check(
        _ inputs: [AssetInput], areToBePlayed: Bool = true
    ) async throws(SenderError) -> OpenedAsset? {
        let interrupter = Interrupter()
        let timer = Task {
            guard (try? await Task.sleep(for: .seconds(Self.timeout))) != nil else { return }
            interrupter.interrupt()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await open(inputs, areToBePlayed, interrupter)
        } onCancel: {
            interrupter.interrupt()
        }
        return try result.get()
    }

    private func open(
        _ inputs: [AssetInput], _ areToBePlayed: Bool, _ interrupter: Interrupter
    ) async -> Result<OpenedAsset?, SenderError> {
        var first: AssetError?
        for input in inputs {
            switch await network.open(input, areToBePlayed, interrupter) {
            case .success(let opened): return .success(opened)
            case .failure(let error): first = first ?? error
            }
            if interrupter.wasInterrupted { break }
        }
        let text = Self.text(first, of: inputs, isLate: interrupter.wasInterrupted)
        return .failure(.refused(text, exitCode: 3))
    }

    private static func text(_ error: AssetError?, of inputs: [AssetInput], isLate: Bool) -> String {
        var reason = error?.description ?? "nothing to play"
        if isLate, case .interrupted(let name)? = error { reason = "\(name): did not open within \(Int(timeout)) s" }
        return inputs.count == 1 ? reason : "none of the inputs can be played: \(reason)"
    }
}
