import Glibc
package import Logging
import Synchronization
import TuttiAssets
import TuttiLive
import TuttiRooms

/// Listens to the live inputs that play by themselves: each begins once something sounds, and ends after silence.
package struct InputKeeper: Sendable {
    private let house: House
    private let logger: Logger

    /// Between two looks at an input that plays.
    private static let interval = Duration.seconds(1)
    /// Before an input that could not begin, or was ended by people, is listened to again.
    private static let rest = Duration.seconds(5)

    package init(_ house: House, logger: Logger) {
        self.house = house
        self.logger = logger
    }

    /// Runs until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for input in house.inputs where input.group != nil { group.addTask { await keep(input) } }
        }
    }

    private func keep(_ input: LiveInput) async {
        var trouble: String?
        while !Task.isCancelled {
            if await house.standing(of: input) == .absent {
                do {
                    guard try await listen(input) else { return }
                    try await house.begin(input)
                    logger.info("an input sounds", metadata: ["input": "\(input.name)"])
                    trouble = nil
                } catch {
                    let reason = String(describing: error)
                    if reason != trouble { logger.warning("\(input.name) does not play: \(reason)") }
                    trouble = reason
                    guard (try? await Task.sleep(for: Self.rest)) != nil else { return }
                    continue
                }
            }
            await follow(input)
        }
    }

    /// Waits for the end of an input that plays.
    private func follow(_ input: LiveInput) async {
        // It takes a moment until it does.
        var grace = 5
        while (try? await Task.sleep(for: Self.interval)) != nil {
            switch await house.standing(of: input) {
            case .playing(let silence) where silence >= input.silence:
                do throws(SenderError) {
                    try await house.end(input)
                    logger.info("an input is silent", metadata: ["input": "\(input.name)"])
                } catch {
                    logger.warning("\(input.name) cannot end: \(error)")
                }
                return
            case .playing: grace = 0
            case .absent where grace > 0: grace -= 1
            case .absent:
                // People have ended it: it is not to come back at once.
                return await Self.pause()
            }
        }
    }

    private static func pause() async { try? await Task.sleep(for: rest) }

    /// Waits until an input sounds.
    ///
    /// - Returns: false where nobody waits any more.
    private func listen(_ input: LiveInput) async throws(AssetError) -> Bool {
        let address = try LiveAddress(input.uri)
        let clock = house.configuration.clock
        let isOver = Atomic(false)
        return try await withTaskCancellationHandler {
            await RoomNetwork.aside { () throws(AssetError) in
                let source = try LiveSource(address, name: input.name, clock: clock)
                var ear = LiveEar(threshold: address.threshold, sampleRate: source.sampleRate)
                while !isOver.load(ordering: .relaxed) {
                    if let block = source.read(milliseconds: 100), ear.hears(block.samples) { return true }
                    for line in source.takeNews() { logger.notice("\(line)") }
                }
                return false
            }
        } onCancel: {
            isOver.store(true, ordering: .relaxed)
        }.get()
    }
}
