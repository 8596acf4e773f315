package import TuttiProduction
package import TuttiRooms

/// What a player has of its host beside the clock. A simulation has its own.
package struct SenderHost: Sendable {
    /// Starts a producer; it reports from any thread, with the work item's serial number.
    package typealias ProducerStarter =
        @Sendable (_ options: EncodingOptions, _ report: @escaping @Sendable (Int, ProducerEvent) -> Void)
        throws(SenderError) -> any TrackProducer

    /// Starts a reader of pictures; it reports from any thread, with the work's number. Nil where there are none.
    package typealias PictureStarter =
        @Sendable (_ report: @escaping @Sendable (Int, PictureBatch) -> Void)
        throws(SenderError) -> (any SpanMaking)?

    /// Starts a reader of the texts above pictures, likewise.
    package typealias CaptionStarter =
        @Sendable (_ report: @escaping @Sendable (Int, CaptionBatch) -> Void)
        throws(SenderError) -> (any SpanMaking)?

    /// What the rooms need.
    package var rooms: RoomsHost
    /// Gives a producer that runs.
    package var startProducer: ProducerStarter
    /// Gives a reader of pictures that runs.
    package var startPictures: PictureStarter = { _ in nil }
    /// Gives a reader of the texts above them that runs.
    package var startCaptions: CaptionStarter = { _ in nil }

    /// A host of these parts.
    package init(rooms: RoomsHost, startProducer: @escaping ProducerStarter) {
        self.rooms = rooms
        self.startProducer = startProducer
    }

    /// This host.
    package static let system = {
        var host = SenderHost(rooms: .system) { options, report throws(SenderError) in
            let producer = Producer(options: options, report: report)
            try producer.run()
            return producer
        }
        host.startPictures = { report throws(SenderError) in
            let producer = SpanProducer<PictureReading>(report: report)
            try producer.run(name: "tutti-pictures")
            return producer
        }
        host.startCaptions = { report throws(SenderError) in
            let producer = SpanProducer<CaptionReading>(report: report)
            try producer.run(name: "tutti-captions")
            return producer
        }
        return host
    }()
}
