import CAvahi

/// Keeps a speaker's service registered with the daemon; runs on an `AvahiLoop`.
final class AvahiPublication: AvahiWork, AvahiConnectionUser {
    private let shared: PublisherShared
    private var connection: AvahiConnection?
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var revision = -1
    /// What is registered now.
    private var registered: SpeakerRecord?
    private var name = ""
    private var isRegistrationDue = false
    private var retryAt: Int64?

    /// How many other names are tried in one go.
    private static let maximumAlternatives = 100
    /// Milliseconds until a daemon that refused is asked again.
    private static let retryInterval: Int64 = 30_000

    init(shared: PublisherShared) { self.shared = shared }

    func open(poll: UnsafePointer<AvahiPoll>) throws(DiscoveryError) {
        connection = AvahiConnection(poll: poll, user: self)
    }

    func turn() -> Int32? {
        let wait = connection?.turn()
        let now = AvahiLoop.milliseconds()
        if let retryAt, now >= retryAt { isRegistrationDue = true }
        if shared.record.revision != revision || isRegistrationDue, !updateText() { register() }
        guard let retryAt else { return wait }
        return min(wait ?? .max, Int32(max(0, retryAt - now)))
    }

    func close() {
        (group, client, registered) = (nil, nil, nil)
        connection?.close()
        shared.setState(.stopped)
    }

    func daemonIsReady(_ client: OpaquePointer) {
        self.client = client
        isRegistrationDue = true
    }

    func daemonIsBusy() {
        if let group { avahi_entry_group_reset(group) }
        (client, registered) = (nil, nil)
        shared.setState(.registering)
    }

    func daemonIsGone(_ error: DiscoveryError) {
        // The group is freed with its client.
        (group, client, registered) = (nil, nil, nil)
        retryAt = nil
        shared.setState(.waiting(error))
    }

    /// The daemon refused, though it is there.
    private func refused(_ error: DiscoveryError) {
        retryAt = AvahiLoop.milliseconds() + Self.retryInterval
        shared.setState(.waiting(error))
    }

    /// Publishes another text for what is registered already: a service that goes and comes again is lost to all for a
    /// moment.
    ///
    /// - Returns: whether that was all there was to do.
    private func updateText() -> Bool {
        let (record, newest) = shared.record
        guard !isRegistrationDue, let group, let registered,
            (registered.name, registered.port) == (record.name, record.port)
        else { return false }
        let status = withText(of: record) { list in
            avahi_entry_group_update_service_txt_strlst(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name,
                ServiceName.type, nil, list)
        }
        guard status == 0 else { return false }
        (revision, self.registered) = (newest, record)
        return true
    }

    /// Registers anew under the wanted name, or under the one that was found free for it.
    private func register() {
        isRegistrationDue = false
        retryAt = nil
        let (record, newest) = shared.record
        if revision != newest { name = ServiceName.instance(for: record.name) }
        revision = newest
        guard let client else { return }
        if group == nil {
            group = avahi_entry_group_new(
                client,
                { _, state, context in
                    guard let context else { return }
                    Unmanaged<AvahiPublication>.fromOpaque(context).takeUnretainedValue().groupChanged(to: state)
                }, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let group else { return refused(AvahiConnection.error(avahi_client_errno(client))) }
        shared.setState(.registering)
        var status: Int32 = 0
        for _ in 0..<Self.maximumAlternatives {
            avahi_entry_group_reset(group)
            status = add(record, to: group)
            guard status == Int32(AVAHI_ERR_COLLISION) else { break }
            takeAlternativeName()
        }
        if status == 0 { status = avahi_entry_group_commit(group) }
        registered = status == 0 ? record : nil
        if status != 0 { refused(AvahiConnection.error(status)) }
    }

    private func add(_ record: SpeakerRecord, to group: OpaquePointer) -> Int32 {
        withText(of: record) { list in
            avahi_entry_group_add_service_strlst(
                group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name,
                ServiceName.type, nil, nil, record.port, list)
        }
    }

    private func withText(
        of record: SpeakerRecord, _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Int32
    ) -> Int32 {
        // The name that is registered stands in the text too: it is the one that people choose a speaker by.
        let isAsWanted = name == ServiceName.instance(for: record.name)
        let text = SpeakerText(
            id: record.id, name: isAsWanted ? record.name : name, version: record.version,
            isClaimed: record.isClaimed, isScreen: record.isScreen, clock: record.clock)
        var list: UnsafeMutablePointer<AvahiStringList>?
        // The list grows at its front.
        for string in text.strings.reversed() { list = avahi_string_list_add(list, string) }
        defer { avahi_string_list_free(list) }
        return body(list)
    }

    private func groupChanged(to state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: shared.setState(.published(name: name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            registered = nil
            takeAlternativeName()
            isRegistrationDue = true
        case AVAHI_ENTRY_GROUP_FAILURE:
            refused(client.map { AvahiConnection.error(avahi_client_errno($0)) } ?? .daemonNotRunning)
        default: break
        }
    }

    private func takeAlternativeName() {
        guard let alternative = avahi_alternative_service_name(name) else { return }
        name = String(cString: alternative)
        avahi_free(alternative)
    }
}
