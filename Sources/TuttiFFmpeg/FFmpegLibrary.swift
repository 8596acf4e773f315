import CFFmpeg
import Glibc

/// FFmpeg's libraries that decode and convert, in this process from when they are first needed until it ends.
///
/// A speaker that is sent FLAC, Opus or samples never has them in its memory, and need not have them installed.
///
/// Safety of `@unchecked Sendable`: nothing is written after `init`.
package final class FFmpegLibrary: @unchecked Sendable {
    /// FFmpeg's functions, under their own names.
    let functions: tutti_codecs

    private static let loading: Result<FFmpegLibrary, FFmpegError> = {
        let functions = UnsafeMutablePointer<tutti_codecs>.allocate(capacity: 1)
        defer { functions.deallocate() }
        if let reason = tutti_load_codecs(functions) {
            return .failure(.unsupported("FFmpeg's libraries cannot be loaded (\(String(cString: reason)))"))
        }
        return .success(FFmpegLibrary(functions.move()))
    }()

    private init(_ functions: tutti_codecs) {
        self.functions = functions
        // Errors are thrown and damage is counted; standard error is not FFmpeg's.
        functions.av_log_set_level(AV_LOG_QUIET)
    }

    /// The libraries, loaded when this is called for the first time.
    ///
    /// - Throws: `.unsupported` where they are not installed.
    package static func loaded() throws(FFmpegError) -> FFmpegLibrary { try loading.get() }

    /// Keeps FFmpeg from writing to standard error, for those who call it themselves. Idempotent.
    package static func prepare() { _ = loading }

    /// Whether the libraries are installed, found out without loading them.
    package static let isInstalled = [tutti_avcodec_soname(), tutti_swresample_soname()].allSatisfy {
        isKnown(String(cString: $0), toLoader: "/etc/ld.so.cache")
    }

    /// Whether the list of libraries that the system's loader keeps has one of this name.
    ///
    /// - Parameter cache: the list's file, as `ldconfig` writes it (ld.so(8)); the names in it are C strings, or the
    ///   ends of such.
    package static func isKnown(_ library: String, toLoader cache: String) -> Bool {
        guard let file = fopen(cache, "rb") else { return false }
        defer { fclose(file) }
        var content: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while content.count < maximumCacheSize {
            let count = fread(&block, 1, block.count, file)
            guard count > 0 else { break }
            content += block.prefix(count)
        }
        return content.split(separator: 0).contains { $0.ends(with: library) }
    }

    /// Bytes; those of a system with everything installed are some hundred thousand.
    private static let maximumCacheSize = 16 << 20
}

extension Sequence where Element == UInt8, Self: BidirectionalCollection {
    /// Whether these bytes are the name, or end with a slash and it.
    fileprivate func ends(with name: String) -> Bool {
        var rest = self[...]
        for byte in name.utf8.reversed() {
            guard rest.popLast() == byte else { return false }
        }
        return rest.last.map { $0 == UInt8(ascii: "/") } ?? true
    }
}
