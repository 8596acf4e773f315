import CMosquitto
import Dispatch
import Glibc
import Synchronization
import TuttiCore
package import TuttiHost

/// A connection to a broker that is made again whenever it is lost, through libmosquitto.
///
/// libmosquitto is in its threaded mode: one thread of this client reads and writes, and any may publish, which never
/// waits. The loop around `mosquitto_loop` is our own, because libmosquitto's (`mosquitto_loop_start`) ends for good
/// at some errors, such as a wrong certificate, and does not say why an attempt to connect has failed.
///
/// It speaks MQTT 5, where it can tell the broker how large a message may be, and 3.1.1 with a broker that refuses
/// that. Sessions are clean: a command that comes while this client is away is not carried out when it is back, and
/// none is delivered twice by the broker.
package final class BrokerClient: @unchecked Sendable {
    // `mosquitto` locks what several threads use of it. `attempt` and `usesOldProtocol` belong to the thread that runs
    // the loop, in which libmosquitto calls back.

    /// What happens, on the client's thread.
    package enum News: Sendable {
        /// The broker is there, and knows nothing of this client.
        case connected
        /// It is gone, or cannot be reached; the reason reads on from "no connection to the broker: ".
        case gone(String)
        /// A message, cut where it is longer than any that is wanted.
        case message(topic: String, payload: [UInt8], isRetained: Bool)
    }

    /// Why a client cannot begin; one line.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// Seconds of silence after which it is asked whether the broker is still there, and so long again until the
    /// connection counts as lost.
    private static let keepAlive: Int32 = 20
    /// Seconds between two attempts: at first, and at most.
    private static let (shortestPause, longestPause) = (1.0, 60.0)
    /// Seconds after which a connection began well.
    private static let calm = 30.0
    /// Bytes of a message with all that belongs to it, at most.
    private static let longestPacket: UInt32 = 128 << 10

    /// Bytes of a message that are looked at: one more than any that is wanted.
    private static let longestPayload = (64 << 10) + 1

    /// What is known of one attempt to connect.
    private struct Attempt {
        var isAnswered = false
        /// Whether the broker has turned out to know no MQTT 5.
        var isForOldProtocol = false
        var refusal: String?
        var disconnection: Int32?
        var complaint: String?
    }

    private let settings: BrokerSettings
    private let subscriptions: [String]
    private let tell: @Sendable (News) -> Void
    private let mosquitto: OpaquePointer
    private var attempt = Attempt()
    private var usesOldProtocol = false
    private let isEnding = Atomic(false)
    private let waker = DispatchSemaphore(value: 0)

    /// A client that does nothing yet.
    ///
    /// - Parameters:
    ///   - subscriptions: what it listens to.
    ///   - will: what the broker publishes, to be retained, when this client is gone without a word.
    /// - Throws: for a file that cannot be read.
    package init(
        _ settings: BrokerSettings, subscriptions: [String], will: RetainedTopics.Message,
        tell: @escaping @Sendable (News) -> Void
    ) throws(Failure) {
        mosquitto_lib_init()
        guard let mosquitto = mosquitto_new(settings.clientID, true, nil) else {
            throw Failure(description: "\(settings.clientID): this cannot be a client's id")
        }
        (self.mosquitto, self.settings, self.subscriptions, self.tell) = (mosquitto, settings, subscriptions, tell)
        mosquitto_threaded_set(mosquitto, true)
        mosquitto_int_option(mosquitto, MOSQ_OPT_TCP_NODELAY, 1)
        let code = mosquitto_will_set(
            mosquitto, will.topic, Int32(clamping: will.payload.count), will.payload, 1, true)
        guard code == MOSQ_ERR_SUCCESS.code else { throw Failure(description: "a last will: \(Self.text(code))") }
        if let tls = settings.tls { try encrypt(tls) }
        setCallbacks()
    }

    deinit { mosquitto_destroy(mosquitto) }

    private func encrypt(_ tls: BrokerSettings.TLS) throws(Failure) {
        for file in [tls.authorities, tls.certificate?.chain, tls.certificate?.key].compactMap(\.self)
        where access(file, R_OK) != 0 {
            throw Failure(description: "cannot read \(file): \(HostError.text(ofErrno: errno))")
        }
        let code = mosquitto_tls_set(
            mosquitto, tls.authorities, tls.authorities == nil ? "/etc/ssl/certs" : nil, tls.certificate?.chain,
            tls.certificate?.key, nil)
        guard code == MOSQ_ERR_SUCCESS.code else { throw Failure(description: "TLS: \(Self.text(code))") }
    }

    /// Begins to connect, on a thread of its own.
    ///
    /// - Throws: `HostError.system` when the kernel makes no thread.
    package func start() throws(HostError) {
        _ = try RealtimeThread.spawn(name: "broker", priority: nil) { self.run() }
    }

    /// Has a message sent, to be retained by the broker. Without a connection nothing happens.
    ///
    /// It is sent at most once (QoS 0): after a connection is lost, everything is published again, and what waited for
    /// it could only be older.
    package func publish(_ message: RetainedTopics.Message) {
        mosquitto_publish(
            mosquitto, nil, message.topic, Int32(clamping: message.payload.count), message.payload, 0, true)
    }

    /// Publishes a last message and says goodbye, as far as the broker takes it.
    package func end(with message: RetainedTopics.Message) {
        isEnding.store(true, ordering: .relaxed)
        publish(message)
        mosquitto_disconnect(mosquitto)
        waker.signal()
    }

    // MARK: The loop

    private func run() {
        var pause = Self.shortestPause
        while !isEnding.load(ordering: .relaxed) {
            let began = ContinuousClock.now
            let reason = connectAndStay()
            if isEnding.load(ordering: .relaxed) { return }
            if let reason {
                tell(.gone(reason))
                _ = waker.wait(timeout: .now() + pause)
                let isCalm = attempt.isAnswered && ContinuousClock.now - began > .seconds(Self.calm)
                pause = isCalm ? Self.shortestPause : min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Connects, and stays connected for as long as possible.
    ///
    /// - Returns: why it is over; nil if it is to be tried again at once.
    private func connectAndStay() -> String? {
        attempt = Attempt()
        do throws(Failure) {
            try identify()
        } catch {
            return error.description
        }
        var properties: OpaquePointer?
        if usesOldProtocol {
            mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311)
        } else {
            mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.longestPacket)
        }
        defer { mosquitto_property_free_all(&properties) }
        var code = mosquitto_connect_bind_v5(
            mosquitto, settings.host, Int32(settings.port), Self.keepAlive, nil, properties)
        if code == MOSQ_ERR_ERRNO.code { return HostError.text(ofErrno: errno) }
        let isConnected = code == MOSQ_ERR_SUCCESS.code
        while code == MOSQ_ERR_SUCCESS.code { code = mosquitto_loop(mosquitto, 1_000, 1) }
        return reason(for: code, isConnected: isConnected)
    }

    private func reason(for code: Int32, isConnected: Bool) -> String? {
        let code = attempt.disconnection ?? code
        if let refusal = attempt.refusal { return refusal }
        let isSilent = code == MOSQ_ERR_KEEPALIVE.code || code == MOSQ_ERR_NO_CONN.code
        if attempt.isAnswered { return isSilent ? "it no longer answers" : "it is lost: \(Self.text(code))" }
        if attempt.isForOldProtocol { return nil }
        if let complaint = attempt.complaint { return complaint }
        return isConnected && isSilent ? "it lets in and does not answer" : Self.text(code)
    }

    /// Sets user and password, as the file has it now.
    private func identify() throws(Failure) {
        guard let user = settings.user else { return }
        mosquitto_username_pw_set(mosquitto, user, try settings.passwordFile.map(Self.password))
    }

    private static func password(in file: String) throws(Failure) -> String {
        let bytes: [UInt8]?
        do {
            bytes = try AtomicFile.read(file)
        } catch {
            throw Failure(description: error.description)
        }
        guard let bytes else { throw Failure(description: "there is no password file \(file)") }
        return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    // MARK: What libmosquitto calls

    private func setCallbacks() {
        mosquitto_user_data_set(mosquitto, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_callback_set(mosquitto) { _, client, code in
            BrokerClient.at(client)?.answered(code)
        }
        mosquitto_disconnect_callback_set(mosquitto) { _, client, code in
            BrokerClient.at(client)?.attempt.disconnection = code
        }
        mosquitto_log_callback_set(mosquitto) { _, client, level, text in
            guard level == MOSQ_LOG_ERR, let text, let client = BrokerClient.at(client) else { return }
            client.attempt.complaint = PeerText.shown(String(cString: text))
        }
        mosquitto_message_callback_set(mosquitto) { _, client, message in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let count = min(max(0, Int(message.payloadlen)), BrokerClient.longestPayload)
            let payload = message.payload.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
            BrokerClient.at(client)?.tell(
                .message(topic: String(cString: topic), payload: payload, isRetained: message.retain))
        }
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> BrokerClient? {
        pointer.map { Unmanaged<BrokerClient>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The broker has answered the request to connect.
    private func answered(_ code: Int32) {
        guard code == 0 else {
            if code == Int32(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue), !usesOldProtocol {
                (usesOldProtocol, attempt.isForOldProtocol) = (true, true)
            } else {
                let text = usesOldProtocol ? mosquitto_connack_string(code) : mosquitto_reason_string(code)
                attempt.refusal = "it refuses: " + (text.map { String(cString: $0) } ?? "reason \(code)")
            }
            return
        }
        attempt.isAnswered = true
        // Exactly once (QoS 2) for whoever publishes so.
        for topic in subscriptions { mosquitto_subscribe(mosquitto, nil, topic, 2) }
        tell(.connected)
    }

    private static func text(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
    /// As functions return it.
    fileprivate var code: Int32 { rawValue }
}
