package import TuttiChain
package import TuttiEffects
package import TuttiHost
package import TuttiSchema
package import TuttiTrust
import TuttiWire

/// Asks for and sets what the sound of a room goes through, whoever plays there.
package struct RoomEffectsVisit {
    private let address: RoomAddress
    private let trust: Membership?
    private let clock: HostClock

    /// Nanoseconds within which a speaker has made and tried effects.
    private static let timeout: Int64 = 15_000_000_000

    /// Visits to a room.
    ///
    /// - Parameters:
    ///   - address: with its host.
    ///   - trust: the household of whoever asks; nil to speak in the clear.
    package init(_ address: RoomAddress, as trust: Membership?, clock: HostClock) {
        (self.address, self.trust, self.clock) = (address, trust, clock)
    }

    /// How the room's effects stand.
    ///
    /// - Throws: why the speaker does not answer, or has none; `.roomRefused` when what is set is not heard.
    package func show() throws(SenderError) -> EffectsListing { try listing(ask(.show)) }

    /// The chain that is set, with the speaker's names for its impulse responses.
    ///
    /// - Throws: as `show` does.
    package func chain() throws(SenderError) -> EffectChain {
        let listing = try show()
        do throws(ChainError) {
            return try EffectChain(parsing: listing.chain.joined(separator: "\n"))
        } catch {
            throw .roomRefused(listing.room, reason: "its effects cannot be read (\(error)); is it another version?")
        }
    }

    /// Changes them; blocks until they are heard, or are known not to be.
    ///
    /// - Parameter impulses: the impulse responses that the edit names, by those names.
    /// - Throws: why the speaker does not answer, or does not take them: what was set before plays on there.
    package func set(
        _ edit: EffectEdit, impulses: [String: ImpulseResponse]
    ) throws(SenderError) -> EffectsListing {
        var (names, bytes): ([String: String], [String: [UInt8]]) = ([:], [:])
        for (name, impulse) in impulses {
            let content = impulse.bytes
            guard content.count <= ImpulsePart.maximumSize else {
                throw .refused("\(name): longer than a room takes; cut it, or make it mono", exitCode: 1)
            }
            let id = ContentID.of(content)
            (names[name], bytes[id]) = (id, content)
        }
        let edit = (names.isEmpty ? edit : edit.namingFiles()).renamingImpulses(names)
        guard edit.text.utf8.count <= WireLimits.effectsBytes else {
            throw .refused("\(address.label): the chain is too long", exitCode: 1)
        }
        var answer = try ask(.edit(edit))
        if answer.report.missing.contains(where: { bytes[$0] != nil }) {
            for id in answer.report.missing { if let bytes = bytes[id] { try send(bytes, called: id) } }
            answer = try ask(.edit(edit))
        }
        guard answer.report.missing.isEmpty else {
            throw .roomRefused(answer.name, reason: "an impulse response did not get there; try again")
        }
        return try listing(answer)
    }

    private func send(_ bytes: [UInt8], called id: String) throws(SenderError) {
        for offset in stride(from: 0, to: bytes.count, by: ImpulsePart.maximumBytes) {
            let end = min(offset + ImpulsePart.maximumBytes, bytes.count)
            let part = ImpulsePart(id: id, size: bytes.count, offset: offset, data: Array(bytes[offset..<end]))
            _ = try listing(ask(.impulse(part)))
        }
    }

    private func ask(_ request: EffectsRequest) throws(SenderError) -> (name: String, report: EffectsReport) {
        let look = try RoomLook(
            at: address, asking: request, as: trust, clock: clock, withinNanoseconds: Self.timeout)
        guard look.welcome.takesEffects, let report = look.effects else {
            let isRefused = look.welcome.takesEffects
            throw .roomRefused(
                look.name,
                reason: isRefused
                    ? "only its household sets its effects" : "its speaker cannot have effects; update it")
        }
        return (look.name, report)
    }

    private func listing(
        _ answer: (name: String, report: EffectsReport)
    ) throws(SenderError) -> EffectsListing {
        if let problem = answer.report.problem { throw .roomRefused(answer.name, reason: problem) }
        return EffectsListing(
            room: answer.name, chain: answer.report.chain.split(separator: "\n").map(String.init),
            latencyMs: answer.report.latencyMs, load: answer.report.load)
    }
}
