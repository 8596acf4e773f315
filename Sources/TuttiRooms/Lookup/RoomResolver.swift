import Dispatch
import TuttiCore
import TuttiDiscovery
import TuttiHost
package import TuttiTrust

/// Finds rooms by name on the network.
package enum RoomResolver {
    /// The address of each name, or why there is none.
    package typealias Findings = [String: Result<RoomAddress, SenderError>]

    /// How long the network is listened to.
    static let timeout: Duration = .seconds(2)

    /// The address of each of `names`, or why there is none.
    ///
    /// - Parameter trust: the household of whoever asks. Speakers that announce no name tell their household's senders
    ///   what they are called.
    package static func find(_ names: Set<String>, as trust: Membership?) async -> Findings {
        let pins = names.compactMap { name in trust?.pin(of: name).map { (name, $0) } }
        var speakers: [DiscoveredSpeaker]
        do throws(DiscoveryError) {
            speakers = try await SpeakerBrowser.find(
                names: names, ids: Dictionary(uniqueKeysWithValues: pins), timeout: timeout)
        } catch {
            let reason = "\(error); add its address, as in NAME@10.0.0.7"
            return Dictionary(uniqueKeysWithValues: names.map { ($0, .failure(.roomNotFound($0, reason: reason))) })
        }
        for (name, id) in pins { speakers = speakers.map { $0.hidesName && $0.id == id ? $0.named(name) : $0 } }
        if !names.allSatisfy({ speakers.speaker(named: $0) != nil }) { speakers = await named(speakers, as: trust) }
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                guard let match = speakers.speaker(named: name), let host = match.addresses.first else {
                    let reason = "no such speaker on the network; `tutti rooms` lists the speakers"
                    return (name, .failure(.roomNotFound(name, reason: reason)))
                }
                return (name, .success(RoomAddress(name: name, host: host, port: match.port)))
            })
    }

    /// All rooms on the network.
    ///
    /// - Parameter trust: as for `find`.
    /// - Throws: `SenderError.system` when the network cannot be listened to.
    package static func all(as trust: Membership?) async throws(SenderError) -> [FoundRoom] {
        do {
            let speakers = await named(try await SpeakerBrowser.find(names: [], timeout: timeout), as: trust)
            return speakers.map { speaker in
                let host = speaker.addresses.first ?? speaker.host
                return FoundRoom(
                    room: RoomAddress(name: speaker.name, host: host, port: speaker.port), id: speaker.id,
                    version: speaker.version, isClaimed: speaker.claimed, isScreen: speaker.isScreen)
            }
        } catch {
            throw .system(error.description)
        }
    }

    /// The speakers, those without a name by the name that they tell `trust`. Others keep what they are announced as.
    private static func named(
        _ speakers: [DiscoveredSpeaker], as trust: Membership?
    ) async -> [DiscoveredSpeaker] {
        guard let trust else { return speakers }
        return await withTaskGroup(of: (Int, String?).self) { group in
            for (index, speaker) in speakers.enumerated() where speaker.hidesName {
                guard let host = speaker.addresses.first else { continue }
                group.addTask { (index, await name(at: RoomAddress(name: "", host: host, port: speaker.port), trust)) }
            }
            var speakers = speakers
            for await (index, name) in group { if let name { speakers[index] = speakers[index].named(name) } }
            return speakers
        }
    }

    /// A look blocks, so it is taken on a thread where nobody waits.
    private static func name(at place: RoomAddress, _ trust: Membership) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: (try? RoomLook(at: place, as: trust, clock: HostClock()))?.name)
            }
        }
    }
}

extension [DiscoveredSpeaker] {
    fileprivate func speaker(named name: String) -> DiscoveredSpeaker? {
        first { Names.areSame($0.name, name) || $0.id == name }
    }
}

extension DiscoveredSpeaker {
    fileprivate func named(_ name: String) -> DiscoveredSpeaker {
        DiscoveredSpeaker(
            id: id, name: name, host: host, addresses: addresses, port: port, version: version, claimed: claimed,
            clock: clock)
    }
}
