/// What a producer has made since it started, and what that took.
package struct ProducerEffort: Sendable, Equatable {
    /// Nanoseconds of a processor that reading, decoding, converting and encoding took.
    package var processor: Int64
    /// Nanoseconds of sound that came of it.
    package var sound: Int64

    package init(processor: Int64, sound: Int64) {
        self.processor = processor
        self.sound = sound
    }
}
