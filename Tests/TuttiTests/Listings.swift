import Synchronization
import Tutti

/// The player of docs/library.md: its listings are parts of this file.
final class SamplePlayer: Sendable {
    let serializationQueue = SerializationQueue(label: "sample.buffer.player")
    let audioRenderer: AudioRenderer
    let renderSynchronizer: RenderSynchronizer
    private let position: Mutex<(next: Int, end: Int)>
    private let percentage = Mutex(0.0)
    private let stalls = Mutex([Bool]())
    private let rooms = Mutex([String]())

    /// A player of `seconds` seconds of sound.
    init(route: PlaybackRoute, clock: PlaybackClock, seconds: Int) throws {
        audioRenderer = AudioRenderer(route: route)
        renderSynchronizer = RenderSynchronizer(clock: clock)
        position = Mutex((0, seconds * 48_000))
        try renderSynchronizer.addRenderer(audioRenderer)
    }

    var loadedPercentage: Double { percentage.withLock { $0 } }
    var stallChanges: [Bool] { stalls.withLock { $0 } }
    var shownRooms: [String] { rooms.withLock { $0 } }
    var duration: MediaTime { frame(position.withLock { $0.end }) }

    // MARK: What an application brings

    func prepareSampleGeneration(for time: MediaTime) {
        position.withLock { $0.next = Int(time.frame(at: 48_000)) }
    }

    /// The next half second; nil at the end of the data.
    func nextSampleBuffer() -> SampleBuffer? {
        let range = position.withLock { position in
            defer { position.next = min(position.next + 24_000, position.end) }
            return position.next..<min(position.next + 24_000, position.end)
        }
        return range.isEmpty ? nil : try? Material().buffer(range)
    }

    func showActivityIndicator(_ isStalled: Bool) { stalls.withLock { $0.append(isStalled) } }

    func showLoaded(_ share: Double) { percentage.withLock { $0 = share } }

    func showRoom(_ text: String) { rooms.withLock { $0.append(text) } }

    // MARK: Listings

    func play() throws {
        requestMediaData()
        // Start playback at the natural rate of the media.
        try renderSynchronizer.setRate(1)
    }

    func requestMediaData() {
        // Start processing audio data and stop when there's no more data.
        audioRenderer.requestMediaDataWhenReady(on: serializationQueue) { [weak self] in
            while let self, audioRenderer.isReadyForMoreMediaData {
                if let sampleBuffer = nextSampleBuffer() {
                    try? audioRenderer.enqueue(sampleBuffer)
                } else {
                    audioRenderer.stopRequestingMediaData()
                    audioRenderer.finishMediaData()
                    break
                }
            }
        }
    }

    func seek(toMediaTime mediaTime: MediaTime) throws {
        try renderSynchronizer.setRate(0, time: .zero)
        audioRenderer.stopRequestingMediaData()

        audioRenderer.flush()

        prepareSampleGeneration(for: mediaTime)

        requestMediaData()

        try renderSynchronizer.setRate(1, time: mediaTime)
    }

    func changeSpeed(to rate: Double) throws {
        // The renderer plays on to the instant of the change, is flushed, and says from where to enqueue again.
        try renderSynchronizer.setRate(rate)
    }

    func play(fileAt path: String) throws {
        let reader = try AssetReader(path)
        audioRenderer.requestMediaData(on: serializationQueue) { try? reader.next() }
        try renderSynchronizer.setRate(1)
    }

    func performFlush(fromSourceTime sourceTime: MediaTime) async throws {
        audioRenderer.stopRequestingMediaData()
        // App-specific logic to ensure no more media data is enqueued.
        serializationQueue.sync {}

        if await audioRenderer.flush(fromSourceTime: sourceTime) {
            prepareSampleGeneration(for: sourceTime)
            requestMediaData()
        } else {
            // Flush and interrupt playback.
            try seek(toMediaTime: renderSynchronizer.currentTime)
        }
    }

    func observeAutomaticFlushes() -> Task<Void, Never> {
        let events = audioRenderer.events
        return Task { [weak self] in
            for await case .flushedAutomatically(let restartTime, _) in events {
                self?.serializationQueue.async { [weak self] in
                    // Restart from the point where the flush interrupts the audio.
                    self?.autoflushPlayback(restartingAt: restartTime)
                }
            }
        }
    }

    func autoflushPlayback(restartingAt restartTime: MediaTime) {
        audioRenderer.stopRequestingMediaData()
        // The request may have brought what comes later meanwhile.
        audioRenderer.flush()
        prepareSampleGeneration(for: restartTime)
        requestMediaData()
    }

    func observeBuffering() -> Task<Void, Never> {
        let states = audioRenderer.bufferingStates
        return Task { [weak self] in
            for await state in states {
                if state.isPlaybackBufferEmpty { self?.showActivityIndicator(true) }
                if state.isPlaybackBufferFull || state.isPlaybackLikelyToKeepUp { self?.showActivityIndicator(false) }
            }
        }
    }

    func observeProgress() throws -> TimeObserver {
        try renderSynchronizer.addPeriodicTimeObserver(
            forInterval: MediaTime(frame: 1, sampleRate: 2), on: serializationQueue
        ) { [weak self] _ in
            guard let self else { return }
            let available = audioRenderer.loadedTimeRanges.last?.end ?? .zero
            showLoaded(available.seconds / duration.seconds)
        }
    }

    func move(to route: PlaybackRoute) throws {
        // What is held goes along; while playing, the rooms take over at one instant.
        try audioRenderer.setRoute(route)
    }

    func observeRooms() -> Task<Void, Never> {
        let events = audioRenderer.events
        return Task { [weak self] in
            for await case .room(let name, let change) in events {
                self?.showRoom("\(name): \(change)")
            }
        }
    }
}
