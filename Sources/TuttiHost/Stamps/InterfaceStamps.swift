import Glibc

/// What a network driver says about stamps, and does about its own.
package struct InterfaceStamps: Sendable, Equatable {
    /// Which datagrams the hardware stamps (`struct hwtstamp_config` of `linux/net_tstamp.h`).
    package struct Configuration: Sendable, Equatable {
        /// `HWTSTAMP_TX_*`: 0 none, 1 all that ask for it.
        var departures: UInt32
        /// `HWTSTAMP_FILTER_*`: 0 none, 1 all; others are protocols that Tutti does not speak.
        var arrivals: UInt32

        var stampsDepartures: Bool { departures == 1 }
        var stampsArrivals: Bool { arrivals == 1 }

        /// A configuration of these values.
        package init(departures: UInt32, arrivals: UInt32) {
            self.departures = departures
            self.arrivals = arrivals
        }
    }

    /// `SOF_TIMESTAMPING_*` that the driver can do.
    var capabilities: UInt32
    /// The number of its PTP clock; nil when it has none.
    var clock: Int32?
    /// Bits of `HWTSTAMP_TX_*` and `HWTSTAMP_FILTER_*` that the hardware can do.
    var (departures, arrivals): (UInt32, UInt32)

    /// What a driver that says this can do.
    package init(capabilities: UInt32, clock: Int32?, departures: UInt32, arrivals: UInt32) {
        self.capabilities = capabilities
        self.clock = clock
        (self.departures, self.arrivals) = (departures, arrivals)
    }

    /// `SIOCETHTOOL`, `SIOCSHWTSTAMP` and `SIOCGHWTSTAMP` of `linux/sockios.h`.
    private static let (ethtool, setStamps, getStamps): (UInt, UInt, UInt) = (0x8946, 0x89b0, 0x89b1)
    /// `ETHTOOL_GET_TS_INFO` of `linux/ethtool.h`.
    private static let command: UInt32 = 0x41
    /// `sizeof(struct ethtool_ts_info)` in words: the command, the capabilities, the clock, what departures and (after
    /// three reserved ones) what arrivals can be stamped, and three more.
    private static let answerWords = 11
    private static let nameLength = Int(IFNAMSIZ)
    /// `sizeof(struct ifreq)`; the pointer to the question is behind the name.
    private static let requestLength = 40

    /// What the driver of `interface` can do; nil when it does not say.
    package static func read(_ interface: String) -> InterfaceStamps? {
        var words = [UInt32](repeating: 0, count: answerWords)
        words[0] = command
        guard perform(ethtool, on: interface, &words) == 0 else { return nil }
        let clock = Int32(bitPattern: words[2])
        return InterfaceStamps(
            capabilities: words[1], clock: clock >= 0 ? clock : nil, departures: words[3], arrivals: words[7])
    }

    /// What the hardware of `interface` stamps now; nil when its driver does not say.
    package static func configuration(of interface: String) -> Configuration? {
        var words: [UInt32] = [0, 0, 0]
        guard perform(getStamps, on: interface, &words) == 0 else { return nil }
        return Configuration(departures: words[1], arrivals: words[2])
    }

    /// Has the hardware of `interface` stamp what `configuration` says, for all programs of this host.
    ///
    /// - Returns: 0, or the `errno`: `EPERM` without `CAP_NET_ADMIN`.
    static func configure(_ interface: String, _ configuration: Configuration) -> Int32 {
        var words = [0, configuration.departures, configuration.arrivals]
        return perform(setStamps, on: interface, &words)
    }

    /// What the hardware should stamp beyond what it does already; nil when that is nothing. Nothing that another
    /// program wants is taken away: all arrivals include its own.
    package func wanted(beyond now: Configuration) -> Configuration? {
        var wanted = now
        if departures & 1 << 1 != 0, now.departures == 0 { wanted.departures = 1 }
        if arrivals & 1 << 1 != 0 { wanted.arrivals = 1 }
        return wanted == now ? nil : wanted
    }

    private static func perform(_ request: UInt, on interface: String, _ words: inout [UInt32]) -> Int32 {
        let name = Array(interface.utf8)
        guard name.count < nameLength else { return ENODEV }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var question = [UInt8](repeating: 0, count: requestLength)
        question.replaceSubrange(0..<name.count, with: name)
        let result = words.withUnsafeMutableBytes { words in
            question.withUnsafeMutableBytes { question -> Int32 in
                guard let start = question.baseAddress else { return -1 }
                question.storeBytes(of: UInt(bitPattern: words.baseAddress), toByteOffset: nameLength, as: UInt.self)
                return ioctl(descriptor, request, start)
            }
        }
        return result == 0 ? 0 : errno
    }
}
