import TuttiCards

/// The character of one port of the switch, for each direction.
package struct LinkProfile: Sendable, Equatable {
    package var name: String
    /// From the host to the switch.
    package var uplink: LinkDirection
    /// From the switch to the host.
    package var downlink: LinkDirection
}

extension LinkProfile {
    private init(_ name: String, both direction: LinkDirection) {
        self.init(name: name, uplink: direction, downlink: direction)
    }

    /// No delay of its own: the place of a host that is at the switch itself, so that a path is impaired once.
    package static let direct = LinkProfile("direct", both: LinkDirection(base: 0))

    /// A wired home network: 80 µs and an exponential 15 µs.
    package static let lan = LinkProfile("lan", both: LinkDirection(base: 80_000, jitter: 15_000))

    /// Good Wi-Fi: 0.9 ms and an exponential 0.9 ms, nothing for 8 – 40 ms every 2 s, 0.1 % lost.
    package static let wifi = LinkProfile(
        "wifi",
        both: LinkDirection(
            base: 900_000, jitter: 900_000, loss: 0.001,
            stall: .init(period: 2_000_000_000, shortest: 8_000_000, longest: 40_000_000)))

    /// Bad Wi-Fi: 2 ms and an exponential 3 ms, nothing for 40 – 250 ms every 2 s, 1 % lost.
    package static let badWifi = LinkProfile(
        "badwifi",
        both: LinkDirection(
            base: 2_000_000, jitter: 3_000_000, loss: 0.01,
            stall: .init(period: 2_000_000_000, shortest: 40_000_000, longest: 250_000_000)))

    /// Asymmetry that no exchange of messages can see: 200 µs up, 2 ms down.
    package static let asymmetric = LinkProfile(
        name: "asym", uplink: LinkDirection(base: 200_000, jitter: 15_000),
        downlink: LinkDirection(base: 2_000_000, jitter: 15_000))

    /// As `lan`, and 2 % of the frames are lost.
    package static let lossy = LinkProfile("lossy", both: LinkDirection(base: 80_000, jitter: 15_000, loss: 0.02))

    /// The cable is pulled: nothing passes.
    package static let cut = LinkProfile("cut", both: LinkDirection(base: 80_000, passes: false))

    package static let all: [LinkProfile] = [.direct, .lan, .wifi, .badWifi, .asymmetric, .lossy, .cut]

    /// The profile of that name, nil when there is none. Faults may follow: `lan+loss=2+rate=600`.
    package static func named(_ name: String) -> LinkProfile? {
        let words = name.split(separator: "+", omittingEmptySubsequences: false)
        guard var profile = all.first(where: { $0.name == words[0] }) else { return nil }
        for word in words.dropFirst() {
            let pair = word.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, let value = Double(pair[1]), let fault = LinkFault(rawValue: String(pair[0])),
                fault.accepts(value)
            else { return nil }
            profile = profile.with(fault, value)
        }
        return profile
    }

    /// This profile with a fault besides.
    package func with(_ fault: LinkFault, _ value: Double) -> LinkProfile {
        var profile = self
        profile.name += "+\(fault.rawValue)=\(value.shortText)"
        fault.apply(value, to: &profile.uplink, isUplink: true)
        fault.apply(value, to: &profile.downlink, isUplink: false)
        return profile
    }
}
