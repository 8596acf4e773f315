import Glibc

/// The programs that are installed in one folder with the one that runs.
package enum SiblingProgram: String, Sendable {
    /// The sender, and all of the command line but what has a program of its own.
    case player = "tutti-player"
    /// `tutti simulate`.
    case simulate = "tutti-simulate"
    /// The page and the HTTP interface of a service.
    case web = "tutti-web"
    /// MQTT, for Home Assistant.
    case mqtt = "tutti-mqtt"
    /// MPD's protocol.
    case mpd = "tutti-mpd"

    /// Where it is.
    package var path: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return "\(folder)/\(rawValue)"
    }

    /// Runs the program in place of this process, with the same environment and open files.
    ///
    /// - Parameter words: its command line, the name that it is called by first; nil ends it.
    /// - Returns: why it cannot be run, in one line. It returns for no other reason.
    package func become(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> String {
        let path = path
        execv(path, words)
        return "cannot run \(path): \(String(cString: strerror(errno)))"
    }
}
