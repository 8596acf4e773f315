import Tutti

/// What docs/library.md shows of pictures.
enum VideoListings {
    static func show(
        _ pictures: [VideoSampleBuffer], on screen: any VideoSink, with synchronizer: RenderSynchronizer
    ) throws -> VideoRenderer {
        let video = VideoRenderer(clock: synchronizer.clock, sink: screen)
        try synchronizer.addRenderer(video)
        for picture in pictures { try video.enqueue(picture) }
        return video
    }

    static func play(
        _ film: String, in outputs: [QueuePlayer.Output], drawing output: VideoOutput,
        _ configuration: QueuePlayer.Configuration
    ) async throws -> QueuePlayer {
        let player = try await QueuePlayer(
            items: [PlayerItem(path: film)], outputs: outputs + [.screen(output)], configuration: configuration)
        try await player.play()
        return player
    }

    /// At each refresh of the display, which shows what is drawn at `instant`.
    static func refresh(_ output: VideoOutput, at instant: HostTime, draw: (VideoFrame) -> Void) {
        if let frame = output.frame(atHostTime: instant) { draw(frame) }
    }

    static func show(_ player: QueuePlayer, on window: any VideoSink) async throws {
        // It falls in where the film is, within a second or two.
        try await player.add(.screen(window))
    }

    static func play(_ path: String, _ audio: AudioRenderer, _ video: VideoRenderer) throws {
        let (sound, pictures) = (try AssetReader(path), try VideoAssetReader(path))
        audio.requestMediaData { try? sound.next() }
        video.requestMediaData { try? pictures.next() }
    }

    static func render(
        _ output: OfflineOutput, _ video: VideoRenderer, seconds: Int,
        write: (PCMBlock, [OfflinePicture]) throws -> Void
    ) throws {
        while output.sampleTime < Int64(seconds * output.sampleRate) {
            let block = try output.render(4_800, with: video)
            // Nobody is there who could bring it.
            if block.lacksPictures { break }
            try write(block.sound, block.pictures)
        }
    }
}
