import Glibc

/// What this host refused to do.
package enum HostError: Error, Sendable, Equatable {
    /// `TUTTI_TEST_CLOCK` (the text given) does not say what it should.
    case invalidTestClock(String)
    /// A system call failed; `action` reads on from "cannot", as in "bind UDP port 7700"; `code` is its `errno`.
    case system(action: String, code: Int32)
    /// A file operation failed; `action` is a verb ("write", "read", "replace"); `code` is its `errno`.
    case file(action: String, path: String, code: Int32)
    /// A file is larger than anybody would have written it.
    case fileTooLarge(path: String, limit: Int)
    /// A host name or address leads nowhere; `reason` is the resolver's text.
    case unresolvable(host: String, reason: String)
    /// A path that state should live in is not usable; `reason` reads on from "because".
    case unusableDirectory(path: String, reason: String)
}

extension HostError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidTestClock(let text):
            "TUTTI_TEST_CLOCK=\"\(text)\" does not look like \"ppm=20,offset=3.5s,drift=1\""
        case .system(let action, let code): "cannot \(action): \(Self.text(ofErrno: code))"
        case .file(let action, let path, let code): "cannot \(action) \(path): \(Self.text(ofErrno: code))"
        case .fileTooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
        case .unresolvable(let host, let reason): "cannot find host \"\(host)\": \(reason)"
        case .unusableDirectory(let path, let reason): "cannot use \(path): \(reason)"
        }
    }

    /// The C library's words for an error number.
    package static func text(ofErrno code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
