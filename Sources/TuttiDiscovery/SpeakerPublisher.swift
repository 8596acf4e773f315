import Synchronization

/// Makes a speaker known as `_tutti-speaker._tcp`, for as long as it lives.
///
/// Where the name is taken the next free one is used ("kitchen #2"). A daemon that is not running, or that goes away,
/// is waited for quietly: the state is then `.waiting(.daemonNotRunning)`.
package final class SpeakerPublisher: Sendable {
    private let shared: PublisherShared
    private let loop: AvahiLoop

    /// Starts to publish; `onChange` is called from a thread of the publisher's, once for each new state.
    package init(
        _ record: SpeakerRecord, onChange: @escaping @Sendable (PublisherState) -> Void = { _ in }
    ) throws(DiscoveryError) {
        try Self.validate(record)
        let shared = PublisherShared(record: record, onChange: onChange)
        loop = try AvahiLoop(AvahiPublication(shared: shared))
        self.shared = shared
    }

    deinit { stop() }

    /// Where things stand.
    package var state: PublisherState { shared.state }

    /// Publishes other values in place of the present ones.
    package func update(_ record: SpeakerRecord) throws(DiscoveryError) {
        try Self.validate(record)
        shared.setRecord(record)
        loop.wake()
    }

    /// Withdraws the speaker.
    package func stop() { loop.stop() }

    private static func validate(_ record: SpeakerRecord) throws(DiscoveryError) {
        guard record.port > 0 else { throw .invalidRecord("its port is 0") }
        guard !record.id.isEmpty, record.id.utf8.count <= SpeakerText.maximumValueBytes else {
            throw .invalidRecord("its id has \(record.id.utf8.count) bytes")
        }
        guard record.version.utf8.count <= SpeakerText.maximumValueBytes else {
            throw .invalidRecord("its version has \(record.version.utf8.count) bytes")
        }
    }
}

/// What the publisher's owner and its thread both look at.
final class PublisherShared: Sendable {
    private struct Values {
        var record: SpeakerRecord
        var revision = 0
        var state = PublisherState.registering
    }

    private let values: Mutex<Values>
    private let onChange: @Sendable (PublisherState) -> Void

    init(record: SpeakerRecord, onChange: @escaping @Sendable (PublisherState) -> Void) {
        values = Mutex(Values(record: record))
        self.onChange = onChange
    }

    var state: PublisherState { values.withLock { $0.state } }

    /// What to publish, and a number that changes with it.
    var record: (SpeakerRecord, revision: Int) { values.withLock { ($0.record, $0.revision) } }

    func setRecord(_ record: SpeakerRecord) {
        values.withLock { values in
            guard values.record != record else { return }
            values.record = record
            values.revision += 1
        }
    }

    func setState(_ state: PublisherState) {
        let isNew = values.withLock { values in
            defer { values.state = state }
            return values.state != state
        }
        if isNew { onChange(state) }
    }
}
