import TuttiLibrary
import TuttiSchema
import TuttiSender

/// Where commands read the library: on this host from its file, whether a service runs or not; with `--host` from the
/// service there.
enum LibrarySource {
    /// Answers a question.
    static func ask(_ command: ControlRequest.LibraryCommand) throws -> LibraryListing {
        guard Remote.host == nil else {
            return try GroupOption.client.ask(ControlRequest(.library(command)), within: 60).library ?? LibraryListing()
        }
        let library = try LibraryCommand.open()
        defer { library.close() }
        return try library.answer(command)
    }
}
