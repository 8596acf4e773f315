/// A container, as Docker lists it.
package struct Container: Sendable, Decodable, Equatable {
    /// What ties it to a network.
    package struct Attachment: Sendable, Decodable, Equatable {
        /// The network's id.
        package var network: String
        /// Its address there; empty while it does not run.
        package var address: String

        /// Another address of the same network, which has 254 of them; nil while there is none to go by.
        package func neighbour(_ number: Int) -> String? {
            guard let dot = address.lastIndex(of: ".") else { return nil }
            return "\(address[...dot])\(number)"
        }

        enum CodingKeys: String, CodingKey {
            case network = "NetworkID"
            case address = "IPAddress"
        }
    }

    private struct Settings: Sendable, Decodable, Equatable {
        var networks: [String: Attachment]

        enum CodingKeys: String, CodingKey {
            case networks = "Networks"
        }
    }

    /// Its id.
    package var id: String
    private var labels: [String: String]
    private var settings: Settings

    enum CodingKeys: String, CodingKey {
        case id = "Id"
        case labels = "Labels"
        case settings = "NetworkSettings"
    }

    /// The project of Docker Compose that it belongs to; nil for another container.
    package var project: String? { labels["com.docker.compose.project"] }
    /// What it is in that project.
    package var service: String { labels["com.docker.compose.service"] ?? "" }
    /// The network that it is in; the first, should there be several.
    package var attachment: Attachment? { settings.networks.min { $0.key < $1.key }?.value }
}
