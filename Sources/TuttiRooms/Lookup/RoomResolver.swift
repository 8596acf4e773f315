import TuttiCore
import TuttiDiscovery

/// Finds rooms by name on the network.
package enum RoomResolver {
    /// The address of each name, or why there is none.
    package typealias Findings = [String: Result<RoomAddress, SenderError>]

    /// How long the network is listened to.
    static let timeout: Duration = .seconds(2)

    /// The address of each of `names`, or why there is none.
    package static func find(_ names: Set<String>) async -> Findings {
        let speakers: [DiscoveredSpeaker]
        do throws(DiscoveryError) {
            speakers = try await SpeakerBrowser.find(names: names, timeout: timeout)
        } catch {
            let reason = "\(error); add its address, as in NAME@10.0.0.7"
            return Dictionary(uniqueKeysWithValues: names.map { ($0, .failure(.roomNotFound($0, reason: reason))) })
        }
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                let match = speakers.first { Names.areSame($0.name, name) || $0.id == name }
                guard let match, let host = match.addresses.first else {
                    let reason = "no such speaker on the network; `tutti rooms` lists the speakers"
                    return (name, .failure(.roomNotFound(name, reason: reason)))
                }
                return (name, .success(RoomAddress(name: name, host: host, port: match.port)))
            })
    }

    /// All rooms on the network.
    ///
    /// - Throws: `SenderError.system` when the network cannot be listened to.
    package static func all() async throws(SenderError) -> [FoundRoom] {
        do {
            let speakers = try await SpeakerBrowser.find(names: [], timeout: timeout)
            return speakers.map { speaker in
                let host = speaker.addresses.first ?? speaker.host
                return FoundRoom(
                    room: RoomAddress(name: speaker.name, host: host, port: speaker.port), id: speaker.id,
                    version: speaker.version, isClaimed: speaker.claimed)
            }
        } catch {
            throw .system(error.description)
        }
    }
}
