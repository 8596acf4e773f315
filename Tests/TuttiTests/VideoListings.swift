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
}
