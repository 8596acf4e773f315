import Crypto
import FoundationEssentials
import TuttiTiming

/// Signs timing datagrams, and lets in those alone that another member of the household has signed, each once.
///
/// Behind the datagram stand 20 bytes, big-endian, few enough that a link of 350 kbit/s bears a first meeting's
/// questions:
///
/// | bytes | |
/// |---|---|
/// | 0 – 3 | the epoch of the key |
/// | 4 – 7 | the signer: random, drawn when a process begins to sign |
/// | 8 – 11 | a number that grows by one with each datagram of this signer |
/// | 12 – 19 | the first 8 bytes of HMAC-SHA-256 over the datagram and the 12 bytes before |
///
/// A member's datagram counts once, for each signer's numbers are remembered in a window (RFC 4303, §3.4.3), and not at
/// all where it comes back to who signed it. A *reply* counts only for the request that waits for it besides, so one
/// that was kept is of no use even to a member that has just started and remembers no window.
package struct TimingSeal: DatagramSeal {
    /// Bytes that are added to a datagram.
    package static let overhead = labelBytes + tagBytes
    private static let labelBytes = 12
    private static let tagBytes = 8

    private var keys: [(epoch: UInt32, key: SymmetricKey)] = []
    private let signer: UInt32
    private var number: UInt32 = 0
    private var windows = ReplayWindows()

    /// A seal with these keys; the newest signs.
    package init(_ keys: TimeKeys, signer: UInt32 = .random(in: 0...UInt32.max)) {
        self.signer = signer
        use(keys)
    }

    /// Takes other keys. Windows stay, for numbers go on.
    package func using(_ keys: TimeKeys) -> TimingSeal {
        var seal = self
        seal.use(keys)
        return seal
    }

    private mutating func use(_ keys: TimeKeys) {
        self.keys = keys.keys.map { ($0.epoch, SymmetricKey(data: $0.bytes)) }
    }

    package mutating func close(_ datagram: [UInt8]) -> [UInt8]? {
        guard let (epoch, key) = keys.first else { return nil }
        number &+= 1
        var bytes = datagram
        bytes.reserveCapacity(datagram.count + Self.overhead)
        withUnsafeBytes(of: epoch.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: signer.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(Self.tagBytes))
        return bytes
    }

    package mutating func open(_ bytes: [UInt8]) -> [UInt8]? {
        let length = bytes.count - Self.overhead
        guard length > 0 else { return nil }
        let label = bytes[length..<length + Self.labelBytes]
        let (epoch, signer) = (Self.number(label), Self.number(label.dropFirst(4)))
        let number = Self.number(label.dropFirst(8))
        guard let key = keys.first(where: { $0.epoch == epoch })?.key else { return nil }
        let tag = HMAC<SHA256>.authenticationCode(for: bytes[..<label.endIndex], using: key).prefix(Self.tagBytes)
        // All of it is compared, so the time that it takes does not say where they differ.
        guard zip(tag, bytes[label.endIndex...]).reduce(0 as UInt8, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
        guard signer != self.signer, windows.admit(number, from: signer) else { return nil }
        return Array(bytes[..<length])
    }

    /// The first four bytes.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension GroupClock {
    /// Signs with these keys from now on, and lets in what others have signed with them.
    package func sign(with keys: TimeKeys) {
        renew { ($0 as? TimingSeal)?.using(keys) ?? TimingSeal(keys) }
    }
}

/// Which numbers of each signer have come already: the last 64 of each.
struct ReplayWindows {
    private struct Window {
        var highest: UInt32
        /// Bit n: whether `highest` − n has come.
        var seen: UInt64
        /// When it was last used, in admissions.
        var used: UInt64
    }

    /// Signers that are remembered; the one that was silent for longest goes.
    static let memory = 512

    private var windows: [UInt32: Window] = [:]
    private var admissions: UInt64 = 0

    /// Whether this number may come: it has not yet, and is not older than the window.
    mutating func admit(_ number: UInt32, from signer: UInt32) -> Bool {
        admissions &+= 1
        guard var window = windows[signer] else {
            if windows.count >= Self.memory, let oldest = windows.min(by: { $0.value.used < $1.value.used }) {
                windows[oldest.key] = nil
            }
            windows[signer] = Window(highest: number, seen: 1, used: admissions)
            return true
        }
        let ahead = Int32(bitPattern: number &- window.highest)
        if ahead > 0 {
            window.seen = ahead < 64 ? window.seen << UInt64(ahead) | 1 : 1
            window.highest = number
        } else {
            let bit = -Int64(ahead)
            guard bit < 64, window.seen & (1 << UInt64(bit)) == 0 else { return false }
            window.seen |= 1 << UInt64(bit)
        }
        window.used = admissions
        windows[signer] = window
        return true
    }
}
