import TuttiHost
import TuttiRemote
import TuttiSchema

/// What other threads have for the one that keeps all state.
typealias Inbox = Mailbox<InboxContent>

/// What is there. Of what is known of the service only the latest is; completions are bounded by what was asked for.
struct InboxContent: Sendable {
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

    /// What is known of the service that the client is for, nil when it is gone; nil where nothing is new.
    var house: (client: ServiceClient, view: HouseView?)?
    var completions: [Completion] = []
    /// How loud rooms are, asked for once more.
    var levels: [RoomStatus]?
    /// Whether the program is to end.
    var isOver = false
}
