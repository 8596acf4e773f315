import CAvahi
import Glibc

/// Avahi's values as Swift's.
enum AvahiText {
    /// The numeric form of an address; a link-local IPv6 one gets the scope that makes it usable.
    static func address(_ address: UnsafePointer<AvahiAddress>, interface: AvahiIfIndex) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        guard avahi_address_snprint(&buffer, buffer.count, address) != nil else { return nil }
        let numeric = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard numeric.hasPrefix("fe80:") else { return numeric }
        return numeric + "%" + interfaceName(interface)
    }

    /// The strings of a TXT record, as many as are ever looked at.
    static func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var next = list
        while let entry = next, result.count < SpeakerText.maximumStrings {
            if let text = avahi_string_list_get_text(entry) {
                let size = avahi_string_list_get_size(entry)
                result.append(Array(UnsafeBufferPointer(start: text, count: size)))
            }
            next = avahi_string_list_get_next(entry)
        }
        return result
    }

    /// The interface's name; its number where it has none here.
    private static func interfaceName(_ interface: AvahiIfIndex) -> String {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard interface > 0, if_indextoname(UInt32(interface), &buffer) != nil else { return "\(interface)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
