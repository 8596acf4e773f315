#if FFmpeg
import CFFmpeg
import CFFmpegFormat

/// The text tags of a medium: those of the container, then those of the stream (where Ogg keeps them).
struct Tags {
    private var values: [String: String] = [:]

    init(_ demuxer: Demuxer) {
        add(demuxer.context.pointee.metadata)
        add(demuxer.stream.pointee.metadata)
    }

    /// The value of a tag by its lower-case name; nil when it is missing or blank.
    subscript(name: String) -> String? { values[name] }

    /// The number that a tag begins with, as 3 in `3/12`.
    func number(_ name: String) -> Int? {
        values[name].flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    }

    private mutating func add(_ dictionary: OpaquePointer?) {
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            entry = next
            guard let key = next.pointee.key, let value = next.pointee.value else { continue }
            let name = String(cString: key).lowercased()
            let text = TagText.oneLine(String(cString: value))
            if values[name] == nil, !text.isEmpty { values[name] = text }
        }
    }

    /// One value of a dictionary; nil when it is missing or blank.
    static func value(_ name: String, in dictionary: OpaquePointer?) -> String? {
        guard let value = av_dict_get(dictionary, name, nil, 0)?.pointee.value else { return nil }
        let text = TagText.oneLine(String(cString: value))
        return text.isEmpty ? nil : text
    }
}
#endif
