import Synchronization

/// Messages between clients, by channel.
package final class MPDMessageHub: Sendable {
    private struct Inbox {
        var channels: Set<String> = []
        var messages: [(channel: String, text: String)] = []
    }

    private let inboxes = Mutex<[UInt64: Inbox]>([:])

    package init() {}

    /// Forgets a client.
    package func leave(_ client: UInt64) { inboxes.withLock { _ = $0.removeValue(forKey: client) } }

    func subscribe(_ client: UInt64, to channel: String) throws(MPDFault) {
        let isName = channel.utf8.allSatisfy {
            (0x30...0x3A).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || [0x2D, 0x2E, 0x5F].contains($0)
        }
        guard isName, (1...64).contains(channel.utf8.count) else { throw MPDFault(.argument, "invalid channel name") }
        let fault: MPDFault? = inboxes.withLock { inboxes in
            var inbox = inboxes[client] ?? Inbox()
            if inbox.channels.contains(channel) { return MPDFault(.exists, "already subscribed to this channel") }
            guard inbox.channels.count < MPDLimits.channels else {
                return MPDFault(.exists, "subscription list is full")
            }
            inbox.channels.insert(channel)
            inboxes[client] = inbox
            return nil
        }
        if let fault { throw fault }
    }

    func unsubscribe(_ client: UInt64, from channel: String) throws(MPDFault) {
        let wasThere = inboxes.withLock { $0[client]?.channels.remove(channel) != nil }
        if !wasThere { throw MPDFault(.noSuchThing, "not subscribed to this channel") }
    }

    var channels: [String] {
        inboxes.withLock { Set($0.values.flatMap(\.channels)) }.sorted()
    }

    /// Puts a message before all who listen.
    ///
    /// - Returns: the clients that get it.
    func send(_ text: String, to channel: String) throws(MPDFault) -> [UInt64] {
        guard text.utf8.count <= MPDLimits.message else { throw MPDFault(.argument, "the message is too long") }
        let (clients, isHeard) = inboxes.withLock { inboxes in
            var (clients, isHeard) = ([UInt64](), false)
            for (client, inbox) in inboxes where inbox.channels.contains(channel) {
                isHeard = true
                guard inbox.messages.count < MPDLimits.messages else { continue }
                inboxes[client]?.messages.append((channel, text))
                clients.append(client)
            }
            return (clients, isHeard)
        }
        guard isHeard else { throw MPDFault(.noSuchThing, "nobody is subscribed to this channel") }
        return clients
    }

    func takeMessages(_ client: UInt64) -> [(channel: String, text: String)] {
        inboxes.withLock { inboxes in
            defer { inboxes[client]?.messages = [] }
            return inboxes[client]?.messages ?? []
        }
    }
}
