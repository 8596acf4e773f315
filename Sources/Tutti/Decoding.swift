import TuttiCodecs
import TuttiCore
import TuttiDecoding

/// What can be decoded on the way to a card or a screen of this host.
enum Decoding {
    /// Why `format` cannot be decoded; nil when it can.
    static func refusal(of format: AudioFormat) -> String? {
        refusal { () throws(CodecError) in _ = try Decoders.make(for: format) }
    }

    /// Why pictures of `format` cannot be decoded; nil when they can.
    static func refusal(of format: VideoFormat) -> String? {
        refusal { () throws(CodecError) in _ = try Decoders.makeVideo(for: format) }
    }

    private static func refusal(_ make: () throws(CodecError) -> Void) -> String? {
        do throws(CodecError) {
            try make()
            return nil
        } catch {
            return error.description
        }
    }
}
