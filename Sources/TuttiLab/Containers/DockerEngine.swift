import Foundation
import TuttiPOSIX

/// The Docker engine of this host, asked through its socket.
package struct DockerEngine: Sendable {
    /// What it answers.
    package struct Reply: Sendable, Equatable {
        /// The HTTP status.
        package var status: Int
        /// The first line of the body; the engine writes no more.
        package var body: String

        package init(status: Int, body: String) {
            self.status = status
            self.body = body
        }
    }

    private let path: String

    /// The longest answer that is read, in bytes.
    private static let limit = 1 << 24
    /// Seconds that it may take for an answer.
    private static let patience = 30

    /// - Parameter path: its Unix socket.
    package init(path: String) { self.path = path }

    /// The containers of a project of Docker Compose: of the one that the container `id` belongs to.
    ///
    /// - Throws: `LabError.runFailed` when the engine does not answer or knows no such container.
    package func house(of id: String) throws(LabError) -> [Container] {
        let reply = try ask("GET", "/containers/json?all=1")
        let all: [Container]
        do {
            all = try JSONDecoder().decode([Container].self, from: Data(reply.body.utf8))
        } catch {
            throw .runFailed("Docker's list of containers cannot be read: \(error)")
        }
        guard let project = all.first(where: { $0.id.hasPrefix(id) })?.project else {
            throw .runFailed("this is not a container of a Docker Compose project: \(id)")
        }
        return all.filter { $0.project == project }
    }

    /// Has something done to a container: `kill`, `start`, `pause`, `unpause`.
    package func order(_ action: String, _ container: Container) throws(LabError) {
        try ask("POST", "/containers/\(container.id)/\(action)")
    }

    /// Takes a container out of a network.
    package func disconnect(_ container: Container, from network: String) throws(LabError) {
        try ask("POST", "/networks/\(network)/disconnect", body: #"{"Container":"\#(container.id)"}"#)
    }

    /// Brings a container into a network, at this address.
    package func connect(_ container: Container, to network: String, at address: String) throws(LabError) {
        let place = #"{"IPAMConfig":{"IPv4Address":"\#(address)"},"Aliases":["\#(container.service)"]}"#
        let body = #"{"Container":"\#(container.id)","EndpointConfig":\#(place)}"#
        try ask("POST", "/networks/\(network)/connect", body: body)
    }

    @discardableResult
    private func ask(_ method: String, _ target: String, body: String = "") throws(LabError) -> Reply {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: Self.patience) else {
            throw .runFailed("Docker does not listen at \(path)")
        }
        // HTTP/1.0: one answer, in one piece.
        let head =
            "\(method) \(target) HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
        guard socket.send(Array((head + "\r\n\r\n" + body).utf8)) else {
            throw .runFailed("Docker closed the connection at \(path)")
        }
        guard let reply = Self.reply(next: { socket.line(limit: Self.limit) }) else {
            throw .runFailed("no answer from Docker to \(method) \(target)")
        }
        guard (200..<400).contains(reply.status) else {
            throw .toolFailed(command: "\(method) \(target)", message: "\(reply.status) \(reply.body)")
        }
        return reply
    }

    /// Reads an answer.
    /// - Parameter next: gives its next line without the end of the line, nil when there is none.
    package static func reply(next: () -> [UInt8]?) -> Reply? {
        func text() -> String? {
            next().map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
        }
        let first = text()?.split(separator: " ") ?? []
        guard first.count > 1, first[0].hasPrefix("HTTP/1."), let status = Int(first[1]) else { return nil }
        while let line = text(), !line.isEmpty {}
        return Reply(status: status, body: text() ?? "")
    }
}
