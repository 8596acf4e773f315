#if FFmpeg
import CFFmpeg
import Glibc
import TuttiFFmpeg

/// What a failed request means, in words for a person.
enum RemoteFailure {
    /// The error for a request that failed with `code`.
    static func error(_ code: Int32, address: String, name: String) -> AssetError {
        switch FFmpegError(code: code, operation: "connecting") {
        case .http(status: 404): .notFound(name)
        case .endOfStream: .network(name, reason: "the server closed the connection without an answer")
        case .timedOut: .network(name, reason: "no answer in time")
        case .failed(_, tutti_averror(EIO), _): .network(name, reason: reasonWithoutCode(address))
        case .failed(_, tutti_averror(ECONNREFUSED), _):
            .network(name, reason: "nothing answers at this address and port (connection refused)")
        case .failed(_, tutti_averror(ECONNRESET), _): .network(name, reason: "the server reset the connection")
        case .failed(_, tutti_averror(ENETUNREACH), _), .failed(_, tutti_averror(EHOSTUNREACH), _):
            .network(name, reason: "no route to this host")
        case .notPermitted: .network(name, reason: "the server denied access")
        case let error: .network(name, reason: error.description)
        }
    }

    /// Whether asking again is in vain.
    static func isFinal(_ code: Int32) -> Bool {
        switch FFmpegError(code: code, operation: "") {
        case .http(status: let status): status != 5
        case .unsupported, .outOfMemory, .invalidData: true
        default: false
        }
    }

    /// libavformat says "input/output error" to names that are not known, and to much else.
    private static func reasonWithoutCode(_ address: String) -> String {
        guard let host = host(of: address), let problem = lookupProblem(host) else {
            return "the request failed (a TLS error, or too many redirects)"
        }
        return problem
    }

    /// Why the host's name leads nowhere; nil when it has an address.
    private static func lookupProblem(_ host: String) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &found)
        if let found { freeaddrinfo(found) }
        switch code {
        case 0: return nil
        case EAI_AGAIN: return "cannot look up \(host): no name server answers; check the network"
        default: return "no such host: \(host)"
        }
    }

    private static func host(of address: String) -> String? {
        guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
        let authority = address[start...].prefix { !"/?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        if place.first == "[" { return place.dropFirst().firstIndex(of: "]").map { String(place.dropFirst()[..<$0]) } }
        let host = place.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }
}
#endif
