import CAvahi

/// Who uses an `AvahiConnection`; called on the loop's thread (during `open`, on the opener's).
protocol AvahiConnectionUser: AnyObject {
    /// The daemon answers and its host name is settled.
    func daemonIsReady(_ client: OpaquePointer)
    /// The daemon is there but not ready: its host name is being settled anew.
    func daemonIsBusy()
    /// The client is about to go, with all that was made from it.
    func daemonIsGone(_ error: DiscoveryError)
}

/// A client of the Avahi daemon that comes back by itself when the daemon or the message bus went away.
final class AvahiConnection {
    private let poll: UnsafePointer<AvahiPoll>
    private weak var user: (any AvahiConnectionUser)?
    private var client: OpaquePointer?
    private var hasFailed = false
    private var retryAt: Int64 = 0
    private var retryInterval = AvahiConnection.shortestRetry

    /// Milliseconds between two tries, at first and at most.
    private static let shortestRetry: Int64 = 500
    private static let longestRetry: Int64 = 5_000

    init(poll: UnsafePointer<AvahiPoll>, user: any AvahiConnectionUser) {
        self.poll = poll
        self.user = user
    }

    /// Connects when it is time to; gives the milliseconds to the next try, or nil when there is nothing to wait for.
    func turn() -> Int32? {
        if hasFailed { close() }
        guard client == nil else { return nil }
        let now = AvahiLoop.milliseconds()
        if now < retryAt { return Int32(retryAt - now) }
        connect()
        guard client == nil || hasFailed else { return nil }
        if hasFailed { close() }
        retryAt = now + retryInterval
        let wait = Int32(retryInterval)
        retryInterval = min(2 * retryInterval, Self.longestRetry)
        return wait
    }

    /// Lets go of the client.
    func close() {
        hasFailed = false
        if let client { avahi_client_free(client) }
        client = nil
    }

    private func connect() {
        var status: Int32 = 0
        // Waits for a daemon that is not there yet; without the message bus it gives nothing.
        client = avahi_client_new(
            poll, AVAHI_CLIENT_NO_FAIL,
            { client, state, context in
                guard let client, let context else { return }
                Unmanaged<AvahiConnection>.fromOpaque(context).takeUnretainedValue().changed(client, to: state)
            }, Unmanaged.passUnretained(self).toOpaque(), &status)
        if client == nil { user?.daemonIsGone(Self.error(status)) }
    }

    private func changed(_ client: OpaquePointer, to state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            retryInterval = Self.shortestRetry
            user?.daemonIsReady(client)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: user?.daemonIsBusy()
        case AVAHI_CLIENT_CONNECTING: user?.daemonIsGone(.daemonNotRunning)
        default:
            // The client may not be freed from within its own callback: the next turn does it.
            hasFailed = true
            user?.daemonIsGone(Self.error(avahi_client_errno(client)))
        }
    }

    /// The error for one of Avahi's codes.
    static func error(_ status: Int32) -> DiscoveryError {
        switch status {
        case Int32(AVAHI_ERR_NO_DAEMON), Int32(AVAHI_ERR_DISCONNECTED), Int32(AVAHI_ERR_DBUS_ERROR): .daemonNotRunning
        default: .avahi(avahi_strerror(status).map { String(cString: $0) } ?? "error \(status)")
        }
    }
}
