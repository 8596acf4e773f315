/// Where a broker is, and how to get in.
package struct BrokerSettings: Sendable, Equatable {
    package var host: String
    package var port: Int
    /// What this client is called; no other client of the broker may be called the same.
    package var clientID: String
    /// Nil for a connection in the clear.
    package var tls: TLS?
    /// Nil for none.
    package var user: String?
    /// A file with the password in its first line. It is read at each connection.
    package var passwordFile: String?

    /// How a connection is encrypted.
    package struct TLS: Sendable, Equatable {
        /// A PEM file with the authorities that may sign the broker's certificate; nil for those of the system.
        package var authorities: String?
        /// PEM files of a certificate for this client and its private key; nil for none.
        package var certificate: (chain: String, key: String)?

        package init(authorities: String? = nil, certificate: (chain: String, key: String)? = nil) {
            (self.authorities, self.certificate) = (authorities, certificate)
        }

        package static func == (one: TLS, other: TLS) -> Bool {
            one.authorities == other.authorities && one.certificate?.chain == other.certificate?.chain
                && one.certificate?.key == other.certificate?.key
        }
    }

    package init(host: String, port: Int, clientID: String) {
        (self.host, self.port, self.clientID) = (host, port, clientID)
    }
}
