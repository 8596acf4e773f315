/// A method that somebody on the bus calls.
package struct BusCall: Sendable, Equatable {
    /// The object that it is meant for.
    package var path: String
    /// Of which interface; nil for whichever has such a method.
    package var interface: String?
    /// The method.
    package var member: String
    /// What it is given.
    package var arguments: [BusValue]

    /// A call.
    package init(path: String, interface: String?, member: String, arguments: [BusValue] = []) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// Why a call is not carried out, as the caller gets it.
package struct BusFault: Error, Sendable, Equatable {
    /// One of the names that D-Bus has for errors.
    package var name: String
    /// In one line, for people.
    package var message: String

    private static func standard(_ name: String, _ message: String) -> BusFault {
        BusFault(name: "org.freedesktop.DBus.Error." + name, message: message)
    }

    /// A value is of a wrong type, or none of those that are allowed.
    package static func invalidArguments(_ message: String) -> BusFault { standard("InvalidArgs", message) }
    /// There is no such object.
    package static func unknownObject(_ path: String) -> BusFault { standard("UnknownObject", "no object at \(path)") }
    /// The object has no such interface.
    package static func unknownInterface(_ name: String) -> BusFault {
        standard("UnknownInterface", "no interface \(name) here")
    }
    /// The interface has no such method.
    package static func unknownMethod(_ name: String) -> BusFault {
        standard("UnknownMethod", "no method \(name) here")
    }
    /// The interface has no such property.
    package static func unknownProperty(_ name: String) -> BusFault {
        standard("UnknownProperty", "no property \(name) here")
    }
    /// The property cannot be set.
    package static func readOnly(_ name: String) -> BusFault {
        standard("PropertyReadOnly", "\(name) can be read only")
    }
    /// It is nothing that this player can do.
    package static func notSupported(_ message: String) -> BusFault { standard("NotSupported", message) }
    /// Too much waits already.
    package static func limitsExceeded(_ message: String) -> BusFault { standard("LimitsExceeded", message) }
    /// The service does not do it.
    package static func failed(_ message: String) -> BusFault { standard("Failed", message) }
}
