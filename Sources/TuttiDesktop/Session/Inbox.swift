import TuttiHost
import TuttiRemote
import TuttiSchema

/// What other threads have for the one that keeps all state.
typealias Inbox = Mailbox<InboxContent>

/// What is there. Of what is known of the service only the latest is; completions and pictures are bounded by what
/// was asked for.
struct InboxContent: Sendable {
    /// What has become of an action.
    struct Completion: Sendable {
        /// The player, and the call of it that is answered.
        let player: String
        let number: UInt64
        let result: Result<ControlResponse, ServiceClient.Failure>
    }

    /// What is known of the service that the client is for, nil when it is gone; nil where nothing is new.
    var house: (client: ServiceClient, view: HouseView?)?
    var completions: [Completion] = []
    /// The picture of a music file, nil for none.
    var picture: (file: String, picture: String?)?
    /// Whether the program is to end.
    var isOver = false
}
