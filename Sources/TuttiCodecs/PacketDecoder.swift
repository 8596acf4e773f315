package import TuttiCore

/// Turns packets of one format back into samples; used by one thread at a time.
package protocol PacketDecoder: AnyObject {
    /// Packets that were damaged and were bridged by concealment instead of an error.
    var concealedPacketCount: Int { get }

    /// The samples of a packet, after its trims: `buffer.audibleFrameCount` frames.
    ///
    /// An error concerns this packet alone: the next one may be decoded as if it had not been there.
    func decode(_ buffer: SampleBuffer) throws(CodecError) -> PCMBlock

    /// Forgets what earlier packets left behind; to be called when the next packet does not follow the last one.
    func reset()
}
