package import TuttiSchema

extension ControlEvent {
    /// An event as controllers get it.
    package init(_ event: PlayerEvent, group: String? = nil) { self.init(Kind(event, group: group), group: group) }
}

extension ControlEvent.Kind {
    /// An event as controllers get it.
    ///
    /// - Parameter group: the group that it is about, where a service plays.
    package init(_ event: PlayerEvent, group: String? = nil) {
        self =
            switch event {
            case .state(let state): .state(state)
            case .item(let item): .item(item)
            case .itemFailed(let index, let uri, let message, let id):
                .itemFailed(index: index, uri: uri, message: message, id: id)
            case .stalled: .stalled
            case .room(let name, let event, let message): .room(name: name, event, message: message)
            case .notice(let notice): .notice(notice.description)
            case .progress(let status): .progress(status.labelled(group ?? status.group))
            case .finished(let outcome): .finished(exitCode: outcome.exitCode, message: outcome.message)
            }
    }
}

extension PlayerStatus {
    /// The status with the group's name.
    package func labelled(_ group: String?) -> PlayerStatus {
        var status = self
        status.group = group
        return status
    }
}

extension AsyncStream<PlayerEvent> {
    /// The events with the group that they are about.
    package func labelled(_ group: String?) -> AsyncStream<ControlEvent> {
        let (stream, continuation) = AsyncStream<ControlEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let pump = Task {
            for await event in self { continuation.yield(ControlEvent(event, group: group)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in pump.cancel() }
        return stream
    }
}
