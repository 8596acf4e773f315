/// What an object on the bus can do, as introspection shows it and as calls are checked.
package struct BusInterface: Sendable, Equatable {
    /// A value that a method or a signal has, by name and signature.
    package struct Argument: Sendable, Equatable {
        let name: String
        let signature: String
    }

    /// Something to call.
    package struct Method: Sendable, Equatable {
        let name: String
        let inputs: [Argument]
        let outputs: [Argument]

        /// The types of all inputs.
        var signature: String { inputs.map(\.signature).joined() }
    }

    /// Something that happens.
    package struct Signal: Sendable, Equatable {
        let name: String
        let arguments: [Argument]
    }

    /// Something to read, and perhaps to set.
    package struct Property: Sendable, Equatable {
        /// Whether clients hear of changes.
        enum Changes: Sendable { case told, untold, never }

        let name: String
        let signature: String
        let isWritable: Bool
        let changes: Changes
    }

    package let name: String
    let methods: [Method]
    let signals: [Signal]
    let properties: [Property]

    func method(_ name: String) -> Method? { methods.first { $0.name == name } }
    func property(_ name: String) -> Property? { properties.first { $0.name == name } }
}

// MARK: Introspection

extension BusInterface {
    private static let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"

    /// What D-Bus tools show of an object with these interfaces, and of what lies below it.
    package static func document(_ interfaces: [BusInterface], children: [String] = []) -> String {
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">", "<node>",
        ]
        for interface in interfaces { lines += interface.lines }
        lines += children.map { "  <node name=\"\($0)\"/>" }
        return (lines + ["</node>"]).map { $0 + "\n" }.joined()
    }

    private var lines: [String] {
        var lines = ["  <interface name=\"\(name)\">"]
        for method in methods {
            lines += Self.element(
                "method", method.name,
                method.inputs.map { Self.line($0, " direction=\"in\"") }
                    + method.outputs.map { Self.line($0, " direction=\"out\"") })
        }
        for signal in signals { lines += Self.element("signal", signal.name, signal.arguments.map { Self.line($0) }) }
        for property in properties { lines += Self.lines(property) }
        return lines + ["  </interface>"]
    }

    private static func element(_ kind: String, _ name: String, _ content: [String]) -> [String] {
        content.isEmpty
            ? ["    <\(kind) name=\"\(name)\"/>"]
            : ["    <\(kind) name=\"\(name)\">"] + content + ["    </\(kind)>"]
    }

    private static func line(_ argument: Argument, _ direction: String = "") -> String {
        "      <arg name=\"\(argument.name)\" type=\"\(argument.signature)\"\(direction)/>"
    }

    private static func lines(_ property: Property) -> [String] {
        let access = property.isWritable ? "readwrite" : "read"
        let head = "    <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\""
        let value: String
        switch property.changes {
        case .told: return [head + "/>"]
        case .untold: value = "false"
        case .never: value = "const"
        }
        return [head + ">", "      <annotation name=\"\(annotation)\" value=\"\(value)\"/>", "    </property>"]
    }
}
