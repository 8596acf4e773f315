import Glibc

/// Why the laboratory cannot do what was asked.
package enum LabError: Error, Equatable, Sendable {
    /// Namespaces and packet sockets need root.
    case notRoot
    /// A program that the lab runs is not installed.
    case missingTool(String)
    /// A helper program ended with a failure; its last words.
    case toolFailed(command: String, message: String)
    /// A system call failed.
    case system(call: String, errno: Int32)
    /// No host of that name.
    case unknownHost(String)
    /// Not a line that the switch understands.
    case badControlLine(String)
    /// Something did not come to pass in its time.
    case timedOut(String)
    /// A run ended otherwise than it should.
    case runFailed(String)

    /// Does a part of a run; what goes wrong in it is why the run failed.
    static func failing<Value>(_ body: () throws -> Value) throws(LabError) -> Value {
        do {
            return try body()
        } catch {
            throw error as? LabError ?? .runFailed("\(error)")
        }
    }
}

extension LabError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notRoot: "the lab must run as root (network namespaces, packet sockets)"
        case .missingTool(let name): "\(name) is not installed"
        case .toolFailed(let command, let message): "\(command) failed: \(message)"
        case .system(let call, let errno): "\(call) failed: \(String(cString: strerror(errno)))"
        case .unknownHost(let name): "no such host in this lab: \(name)"
        case .badControlLine(let line):
            "not a control line (HOST PROFILE, split HOST…, join, move HOST ADDRESS, stats): \(line)"
        case .timedOut(let what): "\(what) took too long"
        case .runFailed(let what): what
        }
    }
}
