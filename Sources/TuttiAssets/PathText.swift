/// Paths and addresses as text.
enum PathText {
    /// The lower-case ending of the last component, without its dot; of an address, without query and fragment.
    static func ending(of path: String) -> String {
        let clean = AssetInput.isRemote(path) ? path.prefix { $0 != "?" && $0 != "#" } : path[...]
        let name = clean.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// The path or address up to and including its last slash; empty without one.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// `entry` of a playlist at `playlist`, as a path or address of its own.
    static func resolve(_ entry: String, relativeTo playlist: String) -> String {
        if AssetInput.isRemote(entry) { return entry }
        if AssetInput.isRemote(playlist) { return resolveAddress(entry, relativeTo: playlist) }
        if entry.lowercased().hasPrefix("file://") { return path(ofFileAddress: entry) }
        return entry.hasPrefix("/") ? entry : folder(of: playlist) + entry
    }

    private static func resolveAddress(_ entry: String, relativeTo address: String) -> String {
        let clean = String(address.prefix { $0 != "?" && $0 != "#" })
        guard entry.hasPrefix("/") else { return folder(of: clean) + entry }
        let parts = clean.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/") + entry
    }

    /// The path in `file:///music/a%20b.flac`; the host, if any, is dropped.
    private static func path(ofFileAddress address: String) -> String {
        let rest = address.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return String(rest) }
        var bytes: [UInt8] = []
        var encoded = Array(rest[slash...].utf8)[...]
        while let byte = encoded.popFirst() {
            if byte == UInt8(ascii: "%"), encoded.count >= 2,
                let value = UInt8(String(decoding: encoded.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                encoded.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
