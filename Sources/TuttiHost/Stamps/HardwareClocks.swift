import Glibc

/// The PTP clocks of this host's network interfaces that stamp datagrams, as far as this process may read them.
struct HardwareClocks: Sendable {
    /// How often they are read at most, and looked for, in ns: `ptp4l` may start later, and a new link may have lost
    /// its settings.
    private static let (readInterval, searchInterval): (Int64, Int64) = (100_000_000, 30_000_000_000)

    private let use: HardwareStampUse
    private var devices: [Int32: PHCDevice] = [:]
    private var clocks: [UInt32: Int32] = [:]
    private var (nextRead, nextSearch): (Int64, Int64) = (.min, .min)
    private var remarked: Set<String> = []
    /// What became of interfaces, for the log; each line once.
    private(set) var remarks: [String] = []

    init(use: HardwareStampUse) { self.use = use }

    /// Tells `stamps` what its fits need, if it is time for that.
    mutating func update(_ stamps: inout HardwareStamps, now: Int64) {
        guard use != .off else { return }
        if now >= nextSearch {
            nextSearch = now + Self.searchInterval
            search()
            stamps.use(clocks)
        }
        guard !devices.isEmpty, now >= nextRead else { return }
        nextRead = now + Self.readInterval
        for (clock, device) in devices {
            if let reading = device.read() { stamps.take(reading, of: clock) }
        }
    }

    /// The remarks since the last call.
    mutating func takeRemarks() -> [String] {
        defer { remarks = [] }
        return remarks
    }

    private mutating func search() {
        clocks = [:]
        guard let list = if_nameindex() else { return }
        defer { if_freenameindex(list) }
        var next = list
        while next.pointee.if_index != 0, let name = next.pointee.if_name {
            let interface = String(cString: name)
            if let clock = clock(of: interface) { clocks[next.pointee.if_index] = clock }
            next += 1
        }
        let used = Set(clocks.values)
        devices = devices.filter { used.contains($0.key) }
    }

    /// The clock of an interface that stamps datagrams, opened.
    private mutating func clock(of interface: String) -> Int32? {
        guard let stamps = InterfaceStamps.read(interface), let clock = stamps.clock,
            isEnabled(interface, stamps)
        else { return nil }
        if devices[clock] == nil {
            devices[clock] = PHCDevice(index: clock)
            remark(
                devices[clock] == nil
                    ? "\(interface): hardware stamps are not used: cannot read /dev/ptp\(clock); let this user read it"
                    : "\(interface): hardware stamps are used if the interface makes them (/dev/ptp\(clock))")
        }
        return devices[clock] == nil ? nil : clock
    }

    /// Whether the interface stamps anything, after it was told to where that is wanted.
    private mutating func isEnabled(_ interface: String, _ stamps: InterfaceStamps) -> Bool {
        // Who does not say may stamp: what comes will tell.
        guard let now = InterfaceStamps.configuration(of: interface) else { return true }
        if use == .on, let wanted = stamps.wanted(beyond: now), !remarked.contains(Self.refusal(of: interface)) {
            let code = InterfaceStamps.configure(interface, wanted)
            if code == 0 { return true }
            remarked.insert(Self.refusal(of: interface))
            remark("\(interface): cannot switch on hardware stamps: \(HostError.text(ofErrno: code))")
        }
        return now.stampsDepartures || now.stampsArrivals
    }

    private static func refusal(of interface: String) -> String { "refused \(interface)" }

    private mutating func remark(_ text: String) {
        if remarked.insert(text).inserted { remarks.append(text) }
    }
}
