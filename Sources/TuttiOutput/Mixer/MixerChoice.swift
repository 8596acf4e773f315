/// Who sets how loud a device is.
package enum MixerChoice: Sendable, Equatable {
    /// The program, by its samples.
    case software
    /// An element of a card's mixer; nil for the usual ones: the device's card, and the element that it has for all of
    /// its sound.
    case hardware(element: String?, card: String?)
    /// Nobody: the volume is fixed.
    case none

    /// Reads `software`, `none`, `hardware`, `hardware:ELEMENT` or `hardware:ELEMENT@CARD`; nil for anything else.
    package init?(parsing text: String) {
        switch text {
        case "software": self = .software
        case "none": self = .none
        case "hardware": self = .hardware(element: nil, card: nil)
        default:
            guard text.hasPrefix("hardware:"), !text.utf8.contains(0) else { return nil }
            let place = text.dropFirst("hardware:".count)
            let mark = place.lastIndex(of: "@")
            let element = mark.map { place[..<$0] } ?? place
            let card = mark.map { place[place.index(after: $0)...] }
            guard card?.isEmpty != true, !element.isEmpty || card != nil else { return nil }
            self = .hardware(element: element.isEmpty ? nil : String(element), card: card.map(String.init))
        }
    }

    /// The mixer that belongs to an ALSA PCM, as ALSA names mixers: `hw:1` for `plughw:1,0`, `hw:Name` for
    /// `front:CARD=Name,DEV=0`, and the one of the same name for all others.
    package static func card(ofDevice device: String) -> String {
        guard let colon = device.firstIndex(of: ":") else { return device }
        let (kind, rest) = (device[..<colon], device[device.index(after: colon)...])
        let parts = rest.split(separator: ",")
        if let named = parts.first(where: { $0.hasPrefix("CARD=") }) { return "hw:" + named.dropFirst("CARD=".count) }
        if kind == "plug" || kind == "dmix" { return card(ofDevice: rest.trimmingQuotes) }
        return ["hw", "plughw"].contains(kind) ? "hw:" + (parts.first ?? "0") : String(kind)
    }
}

extension Substring {
    /// Without the quotes around it, as in `plug:'hw:1,0'`.
    fileprivate var trimmingQuotes: String {
        guard count > 1, let first, first == last, "'\"".contains(first) else { return String(self) }
        return String(dropFirst().dropLast())
    }
}
