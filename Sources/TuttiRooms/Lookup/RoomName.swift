import TuttiCore
import TuttiWire

/// What a room may be called.
package enum RoomName {
    /// - Throws: `.badOption` for what cannot be the name of a room: senders take what is behind an `@` for its address.
    package static func check(_ name: String) throws(SenderError) {
        let isText = name.unicodeScalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }
        guard (1...WireLimits.nameBytes).contains(name.utf8.count), isText, PeerText.shown(name) == name,
            name.first != " ", name.last != " ", !name.contains("@")
        else { throw .badOption("a room's name is 1 to 63 bytes of text, without @ and without spaces around it") }
    }
}
