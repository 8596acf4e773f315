import Glibc

/// Whether a Wi-Fi interface sleeps between packets.
package enum WirelessPower {
    /// What `iw` prints about it; nil when it is not installed or does not know.
    static func report(of interface: String) -> String? {
        // The name goes through a shell.
        let isPlain = interface.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        let command = "PATH=$PATH:/usr/sbin:/sbin iw dev \(interface) get power_save 2>/dev/null"
        guard isPlain, let pipe = popen(command, "r") else { return nil }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, pipe)
        return pclose(pipe) == 0 && count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// What it means.
    ///
    /// - Parameter report: what `iw` printed, if it did.
    package static func finding(interface: String, report: String?) -> HealthFinding {
        let check = "power save of \(interface)"
        let state = report?.split(whereSeparator: \.isWhitespace).last
        switch state {
        case "off": return HealthFinding(check, .ok, "off")
        case "on":
            return HealthFinding(
                check, .problem, "on: it delays packets by up to 100 ms",
                advice: "iw dev \(interface) set power_save off, and in NetworkManager wifi.powersave = 2")
        default:
            return HealthFinding(
                check, .unknown, "cannot be read: iw is missing",
                advice: "install iw, then: iw dev \(interface) get power_save")
        }
    }
}
