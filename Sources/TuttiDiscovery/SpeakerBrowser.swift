/// Finds the speakers on the network.
package enum SpeakerBrowser {
    /// What happens on the network, from now until the stream is dropped or its task cancelled.
    ///
    /// Throws `.daemonNotRunning` when there is no daemon now; one that goes away later is waited for.
    package static func browse() throws(DiscoveryError) -> AsyncStream<DiscoveryEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DiscoveryEvent.self, bufferingPolicy: .bufferingNewest(maximumPendingEvents))
        let loop = try AvahiLoop(AvahiBrowse(continuation: continuation))
        continuation.onTermination = { _ in loop.stop() }
        return stream
    }

    /// The speakers whose name (or id) is among `names`, or all where `names` is empty.
    ///
    /// Gives them as soon as all names are found, with IPv4 addresses if those come within a moment; otherwise what
    /// there is after `timeout`. Without names, after the network has been heard out. Those that keep their names to
    /// their household are given too.
    ///
    /// - Parameter ids: the ids of those whose names are known all the same.
    package static func find(
        names: Set<String>, ids: [String: String] = [:], timeout: Duration
    ) async throws(DiscoveryError) -> [DiscoveredSpeaker] {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DiscoveryEvent.self, bufferingPolicy: .bufferingNewest(maximumPendingEvents))
        let loop = try AvahiLoop(AvahiBrowse(continuation: continuation))
        defer { loop.stop() }
        let timer = finish(continuation, after: timeout)
        defer { timer.cancel() }
        var search = SpeakerSearch(names: names, ids: ids)
        var grace: Task<Void, Never>?
        defer { grace?.cancel() }
        for await event in stream {
            switch search.received(event) {
            case .incomplete: continue
            case .withoutIPv4: grace = grace ?? finish(continuation, after: graceForIPv4)
            case .complete: return search.speakers
            case .failed(let error): throw error
            }
        }
        return search.speakers
    }

    /// More than a network of the largest size that is kept tells at once.
    private static let maximumPendingEvents = 4_096
    /// How long a speaker that is known by IPv6 alone is waited for to be known by IPv4 too.
    private static let graceForIPv4: Duration = .milliseconds(250)

    private static func finish(
        _ continuation: AsyncStream<DiscoveryEvent>.Continuation, after delay: Duration
    ) -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            continuation.finish()
        }
    }
}
