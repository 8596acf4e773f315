import Synchronization

extension PlayerNode {
    /// Called once for each entry, when that has happened which was asked for, or the entry was stopped or interrupted:
    /// in offline rendering at the end of a render call, otherwise on a thread of the engine.
    public typealias CompletionHandler = @Sendable (CompletionCallbackType) -> Void

    /// Schedules a buffer, of which nothing may change until it has been consumed.
    ///
    /// - Parameters:
    ///   - buffer: frames of the player's output format.
    ///   - time: the player's frame at which it begins; after what is scheduled before, where that lasts longer. At once
    ///     by default.
    ///   - options: whether it loops, or interrupts what plays.
    ///   - callbackType: when `completionHandler` is called.
    ///   - completionHandler: called once.
    /// - Throws: `unsuitableBuffer` for an empty buffer, or one of another format than the player's output;
    ///   `scheduleFull`.
    public func scheduleBuffer(
        _ buffer: PCMBuffer, at time: Int64? = nil, options: ScheduleOptions = [],
        completionCallbackType callbackType: CompletionCallbackType = .dataConsumed,
        completionHandler: CompletionHandler? = nil
    ) throws(AudioEngineError) {
        let wanted = expectedFormat ?? buffer.format
        guard buffer.frameLength > 0, buffer.format == wanted else {
            throw .unsuitableBuffer(format: wanted, capacity: max(1, buffer.frameLength))
        }
        try schedule(time, options, buffer: buffer, feed: nil, callbackType, completionHandler)
    }

    /// Schedules a file, from its beginning to its end. Its rate and, between mono and stereo, its channels are converted.
    public func scheduleFile(
        _ file: any AudioFileReading, at time: Int64? = nil, options: ScheduleOptions = [],
        completionCallbackType callbackType: CompletionCallbackType = .dataConsumed,
        completionHandler: CompletionHandler? = nil
    ) throws(AudioEngineError) {
        try scheduleSegment(
            file, startingFrame: 0, frameCount: file.length, at: time, options: options,
            completionCallbackType: callbackType, completionHandler: completionHandler)
    }

    /// Schedules part of a file.
    ///
    /// - Throws: `invalidSegment` for one that has no frames or is not inside the file; `invalidFormat`;
    ///   `formatMismatch`; `scheduleFull`.
    public func scheduleSegment(
        _ file: any AudioFileReading, startingFrame: Int64, frameCount: Int64, at time: Int64? = nil,
        options: ScheduleOptions = [],
        completionCallbackType callbackType: CompletionCallbackType = .dataConsumed,
        completionHandler: CompletionHandler? = nil
    ) throws(AudioEngineError) {
        let length = file.length
        guard startingFrame >= 0, frameCount > 0, frameCount <= length, startingFrame <= length - frameCount else {
            throw .invalidSegment(start: startingFrame, frameCount: frameCount, length: length)
        }
        guard file.format.isValid else { throw .invalidFormat(file.format) }
        if let own = expectedFormat, !file.format.canConvert(to: own) {
            throw .formatMismatch(source: file.format, destination: own)
        }
        let feed = FileFeed(
            file, start: startingFrame, frameCount: frameCount, loops: options.contains(.loops))
        try schedule(time, options, buffer: nil, feed: feed, callbackType, completionHandler)
    }

    /// What the player makes, where that is known by now.
    private var expectedFormat: EngineFormat? { engine?.knownFormat(of: self) }

    private func schedule(
        _ time: Int64?, _ options: ScheduleOptions, buffer: PCMBuffer?, feed: FileFeed?,
        _ callbackType: CompletionCallbackType, _ handler: CompletionHandler?
    ) throws(AudioEngineError) {
        try state.withLock { state throws(AudioEngineError) in
            guard state.live.count + state.awaiting.count < Self.maximumScheduleCount else {
                throw .scheduleFull(maximum: Self.maximumScheduleCount)
            }
            let entry = PlayerEntry(
                serial: state.nextSerial, start: time, options: options, buffer: buffer, feed: feed,
                completion: handler.map { PlayerEntry.Completion(kind: callbackType, handler: $0) })
            let pointer = Unmanaged.passRetained(entry)
            guard shared.pointee.schedule.push(pointer.toOpaque()) else {
                pointer.release()
                throw .scheduleFull(maximum: Self.maximumScheduleCount)
            }
            state.nextSerial += 1
            state.live.append(entry)
        }
    }
}
