import TuttiCodecs
import TuttiCore
import TuttiDecoding

/// What can be decoded on the way to a card of this host.
enum Decoding {
    /// Why `format` cannot be decoded; nil when it can.
    static func refusal(of format: AudioFormat) -> String? {
        do throws(CodecError) {
            _ = try Decoders.make(for: format)
            return nil
        } catch {
            return error.description
        }
    }
}
