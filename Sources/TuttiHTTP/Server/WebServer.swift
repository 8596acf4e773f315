import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
package import Logging
import NIOCore
import NIOSSL
import TuttiHost
import TuttiSchema
import TuttiTrust

/// The HTTP server of a service.
package struct WebServer: Sendable {
    /// How it is to listen.
    package struct Configuration: Sendable {
        /// A numeric address or a name, and a port.
        package var address: String
        package var port: Int
        /// The service's control socket.
        package var socket: String
        /// The program `tutti-player`, which makes pictures.
        package var player: String
        /// Where tokens and the household's certificate are.
        package var stateDirectory: String
        /// PEM files; nil for the household's certificate.
        package var certificate: (chain: String, key: String)?

        package init(
            address: String, port: Int, socket: String, player: String, stateDirectory: String,
            certificate: (chain: String, key: String)? = nil
        ) {
            self.address = address
            self.port = port
            self.socket = socket
            self.player = player
            self.stateDirectory = stateDirectory
            self.certificate = certificate
        }

        /// Whether only this host can reach it.
        package var isLocal: Bool { ListenAddress.isLocal(address) }
    }

    /// Connections at a time; bytes and number of a request's header fields.
    private static let (mostConnections, mostHeaderBytes, mostHeaders) = (1_024, 16 << 10, 64)
    /// How long a connection may do nothing.
    private static let idle = TimeAmount.seconds(60)

    private let configuration: Configuration
    private let logger: Logger
    private let responder: WebResponder
    private let feed: EventFeed

    /// - Throws: `TrustError` when no token or certificate can be read.
    package init(_ configuration: Configuration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        let link = ServiceLink(path: configuration.socket)
        feed = EventFeed(link)
        let tokens = TokenStore(stateDirectory: configuration.stateDirectory)
        let table = try RouteTable()
        let gate = Gate(configuration.isLocal ? .loopback : .network, names: Self.hostNames) { text in
            try tokens.entry(of: text, at: Int64(time(nil)))
        }
        responder = WebResponder(
            table: table, document: ByteBuffer(bytes: JSONLine.encode(OpenAPIDocument.document(of: table))),
            page: PageFiles(), link: link, feed: feed,
            artwork: ArtworkCache(player: configuration.player),
            uploads: UploadStore(stateDirectory: configuration.stateDirectory, player: configuration.player) {
                await Call(parameters: [:], body: [], service: link).namedInputs()
            }, trust: TrustDesk(stateDirectory: configuration.stateDirectory, player: configuration.player),
            gate: SharedGate(gate), logger: logger)
    }

    /// What this host is called.
    private static var hostNames: [String] {
        guard let name = HostName.own?.lowercased() else { return [] }
        let short = String(name.prefix { $0 != "." })
        return [name, short, short + ".local"].filter { !$0.isEmpty }
    }

    /// Serves until the task is cancelled.
    ///
    /// - Throws: when the address is in use or no address of this host, and for certificates that are none.
    package func run() async throws {
        var http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [HeadWatchInstaller()], idleTimeout: Self.idle)
        http1.httpDecoder = .init(
            maxHeaderFieldSize: Self.mostHeaderBytes, maxHeaderListSize: Self.mostHeaderBytes,
            maxHeaderFieldCount: Self.mostHeaders)
        let tls = configuration.isLocal ? nil : try tls()
        let fingerprint = tls.flatMap(Self.fingerprint)
        let server = builder(http1, tls)
        let scheme = configuration.isLocal ? "http" : "https"
        let application = Application(
            responder: CallbackResponder<WebContext> { [responder] request, context in
                await responder.respond(to: request, context)
            },
            server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.address, port: configuration.port), serverName: nil,
                availableConnectionsDelegate: .maximum(Self.mostConnections, logger: logger)),
            onServerRunning: { [logger] channel in
                let place = channel.localAddress.map { "\($0.ipAddress ?? ""):\($0.port ?? 0)" } ?? ""
                var metadata: Logger.Metadata = ["at": "\(scheme)://\(place)"]
                // Who meets this host for the first time compares it.
                if let fingerprint { metadata["certificate"] = "SHA-256 \(fingerprint)" }
                logger.info("serving", metadata: metadata)
            },
            logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [feed] in await feed.run() }
            group.addTask { try await application.run() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func builder(_ http1: HTTP1Channel.Configuration, _ tls: TLSConfiguration?) -> HTTPServerBuilder {
        guard let tls else { return .http1(configuration: http1) }
        let http2 = HTTP2UpgradeChannel.Configuration(
            idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(1), streamConfiguration: http1)
        return HTTPServerBuilder { responder in
            HandshakeDeadline(
                base: try HTTP2UpgradeChannel(tlsConfiguration: tls, configuration: http2, responder: responder))
        }
    }

    /// Lets all listeners go, before the program ends.
    package func end() { feed.end() }

    /// The server's own messages, about each connection, are for those who look for them.
    private var quiet: Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, logger.logLevel <= .debug ? .debug : .warning)
        return quiet
    }

    private static func fingerprint(_ tls: TLSConfiguration) -> String? {
        guard case .certificate(let certificate)? = tls.certificateChain.first else { return nil }
        return (try? certificate.toDERBytes()).map { Fingerprint.ofCertificate($0) }
    }

    private func tls() throws -> TLSConfiguration {
        guard let files = configuration.certificate else {
            return try TLS.webServer(stateDirectory: configuration.stateDirectory)
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(files.chain).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        return tls
    }
}
