import CDBus
import Glibc
import TuttiHost

/// A connection to a message bus. Used by one thread, which waits at `descriptor` and then calls `exchange`: nothing
/// but `init`, `own` and `disown` waits for the bus.
final class BusConnection {
    /// Bytes that wait to be sent at most: a bus that takes no more is not waited for.
    private static let mostUnsent = 8 << 20

    /// Where to wait for messages, and, while `wantsToWrite`, for room to send.
    let descriptor: Int32
    private let connection: OpaquePointer

    /// The session bus that the environment names: `DBUS_SESSION_BUS_ADDRESS`, `$XDG_RUNTIME_DIR/bus`.
    ///
    /// Where there is none, none is started: nobody else would find it.
    static func sessionAddress(environment: [String: String]) throws(BusError) -> String {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let directory = environment["XDG_RUNTIME_DIR"], access(directory + "/bus", F_OK) == 0 else {
            throw .noAddress
        }
        return "unix:path=\(directory)/bus"
    }

    /// Connects to the bus at an address.
    init(address: String) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let connection = dbus_connection_open_private(address, &error) else {
            throw .unreachable(address: address, reason: Self.reason(error))
        }
        dbus_connection_set_exit_on_disconnect(connection, 0)
        var descriptor: Int32 = -1
        guard dbus_bus_register(connection, &error) != 0, dbus_connection_get_unix_fd(connection, &descriptor) != 0
        else {
            dbus_connection_close(connection)
            dbus_connection_unref(connection)
            throw .unreachable(address: address, reason: Self.reason(error))
        }
        // Once more: registering has switched it on.
        dbus_connection_set_exit_on_disconnect(connection, 0)
        (self.connection, self.descriptor) = (connection, descriptor)
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Takes a name.
    ///
    /// - Throws: `nameTaken` when another process has it.
    func own(_ name: String) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        // libdbus ends the process for a name that is none.
        guard dbus_validate_bus_name(name, &error) != 0 else { throw .nameRefused(name, reason: Self.reason(error)) }
        let result = dbus_bus_request_name(connection, name, UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE), &error)
        switch result {
        case DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER: return
        case DBUS_REQUEST_NAME_REPLY_EXISTS: throw .nameTaken(name)
        default: throw .nameRefused(name, reason: Self.reason(error))
        }
    }

    /// Gives a name back; what was called by it can still be answered.
    func disown(_ name: String) { dbus_bus_release_name(connection, name, nil) }

    private static func reason(_ error: DBusError) -> String {
        let text = (error.message ?? error.name).map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
    }

    // MARK: Messages

    /// Whether the bus is there, and takes what it is sent.
    var isConnected: Bool {
        dbus_connection_get_is_connected(connection) != 0
            && dbus_connection_get_outgoing_size(connection) <= Self.mostUnsent
    }

    /// Whether something could not be sent yet.
    var wantsToWrite: Bool { dbus_connection_has_messages_to_send(connection) != 0 }

    /// Reads and sends what can be read and sent at once.
    func exchange() { dbus_connection_read_write(connection, 0) }

    /// The next message that has come; nil when there is none.
    func next() -> BusMessage? { BusMessage(dbus_connection_pop_message(connection)) }

    /// Answers a call.
    func reply(to message: BusMessage, _ values: [BusValue]) {
        guard message.wantsReply, let reply = BusMessage(dbus_message_new_method_return(message.raw)) else { return }
        if reply.append(values) { send(reply) } else { refuse(message, .failed("the answer cannot be written")) }
    }

    /// Answers a call that is not carried out.
    func refuse(_ message: BusMessage, _ fault: BusFault) {
        guard message.wantsReply, let reply = BusMessage(dbus_message_new_error(message.raw, fault.name, fault.message))
        else { return }
        send(reply)
    }

    /// Tells whoever listens.
    func emit(_ signal: String, of interface: String, from path: String, _ values: [BusValue]) {
        guard let message = BusMessage(dbus_message_new_signal(path, interface, signal)), message.append(values)
        else { return }
        send(message)
    }

    private func send(_ message: BusMessage) { dbus_connection_send(connection, message.raw, nil) }

    /// The id of this machine; nil where it has none.
    static var machineID: String? {
        guard let text = dbus_try_get_local_machine_id(nil) else { return nil }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}
