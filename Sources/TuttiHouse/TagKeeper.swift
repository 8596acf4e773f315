package import Logging
import TuttiAssets
import TuttiHost
import TuttiLive
import TuttiRooms

/// Reads what live inputs say that they play, all the time: whoever says it says it once, perhaps before the sound.
package struct TagKeeper: Sendable {
    private let house: House
    private let directory: String
    private let logger: Logger

    /// Milliseconds after which the end of the service is noticed.
    private static let step: Int32 = 400

    /// - Parameter directory: where pictures are kept.
    package init(_ house: House, directory: String, logger: Logger) {
        (self.house, self.directory, self.logger) = (house, directory, logger)
    }

    /// Runs until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for (number, input) in house.inputs.enumerated() {
                guard let address = input.metadata else { continue }
                group.addTask { await keep(input, address, number) }
            }
        }
    }

    private func keep(_ input: LiveInput, _ address: TagAddress, _ number: Int) async {
        guard let source = try? LiveAddress(input.uri).source else { return }
        let (board, interrupter) = (house.configuration.tags, Interrupter())
        await withTaskCancellationHandler {
            _ = await RoomNetwork.aside { () throws(HostError) in
                let reader = TagReader(address, pictures: pictures(number), interrupter: interrupter)
                while !interrupter.wasInterrupted {
                    reader.read(milliseconds: Self.step) { event in
                        switch event {
                        case .says(let tags): board[source] = tags
                        case .remark(let line): logger.notice("\(input.name): \(line)")
                        }
                    }
                }
            }
        } onCancel: {
            interrupter.interrupt()
        }
    }

    private func pictures(_ number: Int) -> TagPictures? {
        do throws(HostError) {
            return try TagPictures(in: directory, prefix: "\(number)")
        } catch {
            logger.warning("live inputs have no pictures: \(error)")
            return nil
        }
    }
}
