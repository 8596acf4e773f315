import CAvahi

/// Browses and resolves speakers; runs on an `AvahiLoop`.
final class AvahiBrowse: AvahiWork, AvahiConnectionUser {
    private let continuation: AsyncStream<DiscoveryEvent>.Continuation
    private var connection: AvahiConnection?
    private var browser: OpaquePointer?
    private var resolvers: [SpeakerDirectory.Sight: OpaquePointer] = [:]
    private var directory = SpeakerDirectory()
    private var isHeardOut = false
    private var hasSettled = false
    private var failure: DiscoveryError?

    init(continuation: AsyncStream<DiscoveryEvent>.Continuation) { self.continuation = continuation }

    func open(poll: UnsafePointer<AvahiPoll>) throws(DiscoveryError) {
        connection = AvahiConnection(poll: poll, user: self)
        _ = connection?.turn()
        if let failure { throw failure }
    }

    func turn() -> Int32? { connection?.turn() }

    func close() {
        // The browser and the resolvers are freed with their client.
        browser = nil
        resolvers = [:]
        connection?.close()
        continuation.finish()
    }

    func daemonIsReady(_ client: OpaquePointer) {
        failure = nil
        guard browser == nil else { return }
        browser = avahi_service_browser_new(
            client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), ServiceName.type, nil,
            AvahiLookupFlags(0),
            { _, interface, transport, event, name, _, domain, _, context in
                guard let context else { return }
                let browse = Unmanaged<AvahiBrowse>.fromOpaque(context).takeUnretainedValue()
                let sight = AvahiBrowse.sight(interface, transport, name, domain)
                browse.browsed(event, sight)
            }, Unmanaged.passUnretained(self).toOpaque())
        if browser == nil { fail(AvahiConnection.error(avahi_client_errno(client))) }
    }

    /// A daemon that settles its host name goes on browsing.
    func daemonIsBusy() {}

    func daemonIsGone(_ error: DiscoveryError) {
        browser = nil
        resolvers = [:]
        isHeardOut = false
        tell(directory.clear())
        fail(error)
    }

    private func fail(_ error: DiscoveryError) {
        guard failure != error else { return }
        failure = error
        continuation.yield(.failed(error))
    }

    private func tell(_ events: [DiscoveryEvent]) {
        for event in events { continuation.yield(event) }
        guard isHeardOut, !hasSettled, directory.isResolved else { return }
        hasSettled = true
        continuation.yield(.settled)
    }

    private func browsed(_ event: AvahiBrowserEvent, _ sight: SpeakerDirectory.Sight?) {
        switch event {
        case AVAHI_BROWSER_NEW:
            if let sight, directory.appeared(sight) { resolve(sight) }
        case AVAHI_BROWSER_REMOVE:
            guard let sight else { return }
            if let resolver = resolvers.removeValue(forKey: sight) { avahi_service_resolver_free(resolver) }
            tell(directory.disappeared(sight))
        case AVAHI_BROWSER_ALL_FOR_NOW:
            isHeardOut = true
            tell([])
        case AVAHI_BROWSER_FAILURE:
            let client = browser.flatMap { avahi_service_browser_get_client($0) }
            fail(client.map { AvahiConnection.error(avahi_client_errno($0)) } ?? .daemonNotRunning)
        default: break
        }
    }

    private func resolve(_ sight: SpeakerDirectory.Sight) {
        guard let browser, let client = avahi_service_browser_get_client(browser) else { return }
        let transport = AvahiProtocol(sight.isIPv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
        // Kept after it has resolved: it tells of changes.
        resolvers[sight] = avahi_service_resolver_new(
            client, sight.interface, transport, sight.name, ServiceName.type, sight.domain, transport,
            AvahiLookupFlags(0),
            { _, interface, transport, event, name, _, domain, host, address, port, text, _, context in
                guard let context, let sight = AvahiBrowse.sight(interface, transport, name, domain) else { return }
                let browse = Unmanaged<AvahiBrowse>.fromOpaque(context).takeUnretainedValue()
                guard event == AVAHI_RESOLVER_FOUND, let address, let host, port > 0,
                    let numeric = AvahiText.address(address, interface: interface)
                else { return browse.tell(browse.directory.failed(sight)) }
                let resolution = SpeakerDirectory.Resolution(
                    host: String(cString: host), address: numeric, port: port,
                    text: SpeakerText(parsing: AvahiText.strings(text)))
                browse.tell(browse.directory.resolved(sight, to: resolution))
            }, Unmanaged.passUnretained(self).toOpaque())
        if resolvers[sight] == nil { tell(directory.failed(sight)) }
    }

    private static func sight(
        _ interface: AvahiIfIndex, _ transport: AvahiProtocol, _ name: UnsafePointer<CChar>?,
        _ domain: UnsafePointer<CChar>?
    ) -> SpeakerDirectory.Sight? {
        guard let name, let domain else { return nil }
        return SpeakerDirectory.Sight(
            interface: interface, isIPv6: transport == AvahiProtocol(AVAHI_PROTO_INET6), name: String(cString: name),
            domain: String(cString: domain))
    }
}
