import CDBus

/// A message of libdbus, for as long as somebody needs it. Used by the thread of its connection alone.
final class BusMessage {
    let raw: OpaquePointer

    /// Takes over the reference that the caller has; nil for none, which libdbus gives when memory runs out.
    init?(_ raw: OpaquePointer?) {
        guard let raw else { return nil }
        self.raw = raw
    }

    deinit { dbus_message_unref(raw) }

    var wantsReply: Bool { dbus_message_get_no_reply(raw) == 0 }

    /// The call that it is; nil for any other kind of message.
    var call: BusCall? {
        guard dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_METHOD_CALL,
            let path = dbus_message_get_path(raw), let member = dbus_message_get_member(raw)
        else { return nil }
        return BusCall(
            path: String(cString: path), interface: dbus_message_get_interface(raw).map { String(cString: $0) },
            member: String(cString: member), arguments: arguments)
    }

    // MARK: Reading

    private var arguments: [BusValue] {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(raw, &place) != 0 else { return [] }
        var values: [BusValue] = []
        repeat { values.append(Self.value(at: &place)) } while dbus_message_iter_next(&place) != 0
        return values
    }

    /// What libdbus has checked: its types, its lengths, and that values are within one another 64 times at most.
    private static func value(at place: inout DBusMessageIter) -> BusValue {
        switch TypeCode(rawValue: UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&place))) {
        case .boolean:
            var value: dbus_bool_t = 0
            dbus_message_iter_get_basic(&place, &value)
            return .boolean(value != 0)
        case .int64:
            var value: Int64 = 0
            dbus_message_iter_get_basic(&place, &value)
            return .int64(value)
        case .double:
            var value = 0.0
            dbus_message_iter_get_basic(&place, &value)
            return .double(value)
        case .string: return .string(text(at: &place))
        case .objectPath: return .objectPath(text(at: &place))
        case .variant:
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&place, &inner)
            return .variant(value(at: &inner))
        case .array, nil: return .other(signature: signature(at: &place))
        }
    }

    private static func text(at place: inout DBusMessageIter) -> String {
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&place, &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    private static func signature(at place: inout DBusMessageIter) -> String {
        guard let pointer = dbus_message_iter_get_signature(&place) else { return "" }
        defer { dbus_free(pointer) }
        return String(cString: pointer)
    }

    // MARK: Writing

    /// The types of D-Bus by their letters.
    private enum TypeCode: UInt8 {
        case boolean = 0x62
        case int64 = 0x78
        case double = 0x64
        case string = 0x73
        case objectPath = 0x6F
        case variant = 0x76
        case array = 0x61

        var code: Int32 { Int32(rawValue) }
    }

    /// Adds arguments; false where one cannot be: memory has run out, or it is none that D-Bus has.
    func append(_ values: [BusValue]) -> Bool {
        var place = DBusMessageIter()
        dbus_message_iter_init_append(raw, &place)
        return values.allSatisfy { Self.append($0, to: &place) }
    }

    private static func append(_ value: BusValue, to place: inout DBusMessageIter) -> Bool {
        switch value {
        case .boolean(let value):
            var value: dbus_bool_t = value ? 1 : 0
            return dbus_message_iter_append_basic(&place, TypeCode.boolean.code, &value) != 0
        case .int64(var value): return dbus_message_iter_append_basic(&place, TypeCode.int64.code, &value) != 0
        case .double(var value): return dbus_message_iter_append_basic(&place, TypeCode.double.code, &value) != 0
        case .string(let text): return append(text, as: .string, to: &place)
        case .objectPath(let text):
            // libdbus ends the process for a path that is none.
            return dbus_validate_path(text, nil) != 0 && append(text, as: .objectPath, to: &place)
        case .strings(let texts):
            return within(.array, of: "s", at: &place) { inner in
                texts.allSatisfy { append($0, as: .string, to: &inner) }
            }
        case .dictionary(let fields):
            return within(.array, of: "{sv}", at: &place) { inner in
                fields.sorted { $0.key < $1.key }.allSatisfy { name, value in
                    entry(name, value, to: &inner)
                }
            }
        case .variant(let value):
            return within(.variant, of: value.signature, at: &place) { append(value, to: &$0) }
        case .other: return false
        }
    }

    private static func append(_ text: String, as type: TypeCode, to place: inout DBusMessageIter) -> Bool {
        text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            return dbus_message_iter_append_basic(&place, type.code, &pointer) != 0
        }
    }

    private static func entry(_ name: String, _ value: BusValue, to place: inout DBusMessageIter) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&place, Int32(UInt8(ascii: "e")), nil, &inner) != 0 else { return false }
        let isWhole = append(name, as: .string, to: &inner) && append(.variant(value), to: &inner)
        return close(&inner, in: &place, isWhole)
    }

    private static func within(
        _ type: TypeCode, of signature: String, at place: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&place, type.code, signature, &inner) != 0 else { return false }
        let isWhole = body(&inner)
        return close(&inner, in: &place, isWhole)
    }

    private static func close(
        _ inner: inout DBusMessageIter, in place: inout DBusMessageIter, _ isWhole: Bool
    ) -> Bool {
        guard isWhole else {
            dbus_message_iter_abandon_container(&place, &inner)
            return false
        }
        return dbus_message_iter_close_container(&place, &inner) != 0
    }
}
