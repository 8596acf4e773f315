import CDBus

/// A connection to RealtimeKit over the system bus. Used by one thread.
final class RTKitService {
    /// The highest priority that it gives.
    let highestPriority: Int
    /// Microseconds that a thread may run at it without a pause: `RLIMIT_RTTIME` must not be above.
    let budgetMicroseconds: UInt64

    private let connection: OpaquePointer

    private static let name = "org.freedesktop.RealtimeKit1"
    private static let path = "/org/freedesktop/RealtimeKit1"
    /// The service may have to be started, and asks polkit, which may have to be started.
    private static let timeoutMilliseconds: Int32 = 2_500

    private init(connection: OpaquePointer, highestPriority: Int, budgetMicroseconds: UInt64) {
        self.connection = connection
        self.highestPriority = highestPriority
        self.budgetMicroseconds = budgetMicroseconds
    }

    deinit { Self.hangUp(connection) }

    /// Connects to the system bus (`DBUS_SYSTEM_BUS_ADDRESS` names another one) and asks what RealtimeKit allows.
    static func connected() -> Result<RTKitService, RTKitRefusal> {
        guard let connection = dbus_bus_get_private(DBUS_BUS_SYSTEM, nil) else {
            return .failure(RTKitRefusal(reason: "no system bus"))
        }
        dbus_connection_set_exit_on_disconnect(connection, 0)
        let answers = property("MaxRealtimePriority", of: connection).flatMap { priority in
            property("RTTimeUSecMax", of: connection).map { (priority, $0) }
        }
        switch answers {
        case .success((let priority, let budget)) where priority >= 1 && budget > 0:
            return .success(
                RTKitService(
                    connection: connection, highestPriority: Int(min(priority, 99)),
                    budgetMicroseconds: UInt64(budget)))
        case .success:
            hangUp(connection)
            return .failure(RTKitRefusal(reason: "its limits are invalid"))
        case .failure(let refusal):
            hangUp(connection)
            return .failure(refusal)
        }
    }

    private static func hangUp(_ connection: OpaquePointer) {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Gives a thread of this process `SCHED_RR` at `priority`.
    func makeRealtime(thread: Int32, priority: Int) -> Result<Void, RTKitRefusal> {
        var (thread, priority) = (UInt64(UInt32(bitPattern: thread)), UInt32(clamping: priority))
        return Self.call(connection, interface: Self.name, method: "MakeThreadRealtime") { arguments in
            dbus_message_iter_append_basic(&arguments, Int32(UInt8(ascii: "t")), &thread) != 0
                && dbus_message_iter_append_basic(&arguments, Int32(UInt8(ascii: "u")), &priority) != 0
        }.map { dbus_message_unref($0) }
    }

    // MARK: D-Bus

    /// A property that is a whole number.
    private static func property(_ property: String, of connection: OpaquePointer) -> Result<Int64, RTKitRefusal> {
        call(connection, interface: "org.freedesktop.DBus.Properties", method: "Get") { arguments in
            append(name, to: &arguments) && append(property, to: &arguments)
        }.flatMap { reply in
            defer { dbus_message_unref(reply) }
            guard let number = number(in: reply) else {
                return .failure(RTKitRefusal(reason: "its \(property) is not a number"))
            }
            return .success(number)
        }
    }

    private static func append(_ text: String, to arguments: inout DBusMessageIter) -> Bool {
        text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            return dbus_message_iter_append_basic(&arguments, Int32(UInt8(ascii: "s")), &pointer) != 0
        }
    }

    /// The number of type i, x, u or t in the variant that a property comes in.
    private static func number(in reply: OpaquePointer) -> Int64? {
        var outer = DBusMessageIter()
        guard dbus_message_iter_init(reply, &outer) != 0,
            dbus_message_iter_get_arg_type(&outer) == Int32(UInt8(ascii: "v"))
        else { return nil }
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&outer, &inner)
        let type = UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&inner))
        var value: UInt64 = 0
        guard [UInt8(ascii: "i"), UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "t")].contains(type) else {
            return nil
        }
        dbus_message_iter_get_basic(&inner, &value)
        // A number of 32 bits is at the beginning of the 64.
        let low = withUnsafeBytes(of: &value) { $0.load(as: Int32.self) }
        switch type {
        case UInt8(ascii: "i"): return Int64(low)
        case UInt8(ascii: "u"): return Int64(UInt32(bitPattern: low))
        default: return Int64(bitPattern: value)
        }
    }

    /// Calls a method and waits for the reply, which the caller gives back.
    private static func call(
        _ connection: OpaquePointer, interface: String, method: String,
        arguments: (inout DBusMessageIter) -> Bool
    ) -> Result<OpaquePointer, RTKitRefusal> {
        guard let message = dbus_message_new_method_call(name, path, interface, method) else {
            return .failure(RTKitRefusal(reason: "out of memory"))
        }
        defer { dbus_message_unref(message) }
        var place = DBusMessageIter()
        dbus_message_iter_init_append(message, &place)
        guard arguments(&place) else { return .failure(RTKitRefusal(reason: "out of memory")) }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let reply = dbus_connection_send_with_reply_and_block(connection, message, timeoutMilliseconds, &error)
        guard let reply else { return .failure(RTKitRefusal(reason: reason(error))) }
        return .success(reply)
    }

    private static func reason(_ error: DBusError) -> String {
        let name = error.name.map { String(cString: $0) } ?? ""
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown": return "not running"
        case "org.freedesktop.DBus.Error.AccessDenied":
            return "refused; it serves users in a local session, and users that a polkit rule names"
        case "org.freedesktop.DBus.Error.NoReply": return "no answer"
        default:
            let text = error.message.map { String(cString: $0) } ?? name
            return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "failed"
        }
    }
}
