import Glibc
import Synchronization
import TuttiHost
import TuttiRemote
import TuttiSchema

/// What other threads have for the one that keeps the sinks: they leave it here, and wake it.
final class Inbox: Sendable {
    /// What the service has answered.
    struct Completion: Sendable {
        enum Kind: Sendable {
            case play(Result<SinkRequest.Track, ServiceClient.Failure>)
            case finish
            case level(Result<Void, ServiceClient.Failure>)
        }

        /// The outlet that has asked.
        let outlet: Int
        let kind: Kind
    }

    /// What is there. Of what is known of the service only the latest is; completions are bounded by what was asked for.
    struct Content: Sendable {
        /// What is known of the service that the client is for, nil when it is gone; nil where nothing is new.
        var house: (client: ServiceClient, view: HouseView?)?
        var completions: [Completion] = []
        /// How loud rooms are, asked for once more.
        var levels: [RoomStatus]?
        /// Whether the program is to end.
        var isOver = false
    }

    /// Readable while there is something.
    let descriptor: Int32
    private let bell: Bell
    private let content = Mutex(Content())

    init() throws(HostError) {
        bell = try Bell()
        descriptor = bell.takeReadingEnd()
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Wakes the other side. RT.
    func ring() { bell.ring() }

    /// Leaves something.
    func put(_ change: (inout Content) -> Void) {
        content.withLock { change(&$0) }
        bell.ring()
    }

    /// Takes what there is.
    func take() -> Content {
        var bytes: (UInt64, UInt64) = (0, 0)
        _ = read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes))
        bell.answer()
        return content.withLock { content in
            defer { content = Content() }
            return content
        }
    }
}
