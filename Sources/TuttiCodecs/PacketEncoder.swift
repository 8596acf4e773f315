package import TuttiCore

/// Turns a stream of samples into packets; used by one thread at a time.
package protocol PacketEncoder: AnyObject {
    /// The format of the packets, complete (with its magic cookie) before the first one.
    var format: AudioFormat { get }

    /// Frames in each packet but the last, before trimming.
    var framesPerPacket: Int { get }

    /// Takes any number of whole frames (interleaved, full scale ±1) and gives the packets that are complete.
    ///
    /// Encoders may hold frames back: a FLAC packet comes once the first frame of the next is known.
    /// Values outside ±1 are clipped and a NaN is taken for silence.
    func encode(_ samples: [Float]) throws(CodecError) -> [EncodedPacket]

    /// Ends the stream and gives what was held back; further input is an error, a second call gives nothing.
    func finish() throws(CodecError) -> [EncodedPacket]
}
