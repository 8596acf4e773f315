#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import Glibc

/// The text tags of a medium: those of the container, then those of the stream (where Ogg keeps them).
struct Tags {
    private var values: [String: String] = [:]
    /// Whether a value was not UTF-8, and was taken for Windows-1252.
    private(set) var isGuessed = false

    init(_ demuxer: Demuxer) { self.init(demuxer.context, demuxer.stream) }

    init(_ context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>) {
        add(context.pointee.metadata)
        add(stream.pointee.metadata)
    }

    /// The value of a tag by its lower-case name; nil when it is missing or blank.
    subscript(name: String) -> String? { values[name] }

    /// The number that a tag begins with, as 3 in `3/12`.
    func number(_ name: String) -> Int? {
        values[name].flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    }

    /// The first of several tags that there is.
    func first(_ names: String...) -> String? { names.lazy.compactMap { values[$0] }.first }

    private mutating func add(_ dictionary: OpaquePointer?) {
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            entry = next
            guard let key = next.pointee.key, let value = next.pointee.value else { continue }
            let name = String(cString: key).lowercased()
            guard values[name] == nil else { continue }
            let whole = String(validatingCString: value)
            if whole == nil { isGuessed = true }
            let text = TagText.oneLine(whole ?? Self.repaired(value))
            if !text.isEmpty { values[name] = text }
        }
    }

    /// A value that is not UTF-8, as old programs wrote them.
    private static func repaired(_ value: UnsafePointer<CChar>) -> String {
        let count = strnlen(value, maximumBytes)
        return UnknownText.text(of: Array(UnsafeRawBufferPointer(start: value, count: count)))
    }

    /// Bytes of a damaged value that are looked at.
    private static let maximumBytes = 4_096

    /// The bytes of a tag of many lines; nil when it is missing, or longer than any.
    static func long(
        _ name: String, of context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>
    ) -> [UInt8]? {
        for dictionary in [context.pointee.metadata, stream.pointee.metadata] {
            guard let value = av_dict_get(dictionary, name, nil, 0)?.pointee.value else { continue }
            let count = strnlen(value, maximumLongBytes + 1)
            guard count > 0, count <= maximumLongBytes else { continue }
            return Array(UnsafeRawBufferPointer(start: value, count: count))
        }
        return nil
    }

    /// The longest such tag.
    private static let maximumLongBytes = 256 << 10

    /// One value of a dictionary; nil when it is missing or blank.
    static func value(_ name: String, in dictionary: OpaquePointer?) -> String? {
        guard let value = av_dict_get(dictionary, name, nil, 0)?.pointee.value else { return nil }
        let text = TagText.oneLine(String(cString: value))
        return text.isEmpty ? nil : text
    }
}
#endif
