import ArgumentParser
import Foundation
import TuttiChain
import TuttiChainFiles
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// What `tutti room ROOM eq|convolve|channels|chain` does.
enum RoomEffectsSetting {
    /// The edit that is asked for; nil to show what is set.
    ///
    /// - Throws: `ValidationError` with what is wrong with the words; `SenderError` for a file that is not there.
    static func edit(_ setting: RoomCommand.Setting, _ values: [String]) throws -> EffectEdit? {
        let text = values.joined(separator: " ")
        if text.isEmpty || text == "show" { return nil }
        do throws(ChainError) {
            switch setting {
            case .eq: return try EffectEdit(.eq, parsing: text)
            case .channels: return try EffectEdit(.channels, parsing: text)
            case .convolve:
                let edit = try EffectEdit(.convolve, parsing: text)
                return edit.renamingImpulses(
                    ChainFile.paths(edit.impulses, from: FileManager.default.currentDirectoryPath))
            case .chain, .name:
                if text == "off" { return .chain(EffectChain()) }
                return .chain(try ChainFile.readWithPaths(text))
            }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Has the service do it, or does it where there is none.
    static func carryOut(
        _ edit: EffectEdit?, in room: String, _ address: RoomAddress
    ) async throws(SenderError) -> EffectsListing {
        let client = GroupOption.client
        if client.isService == true {
            let request = ControlRequest(.effects(room: room, edit))
            guard let effects = try client.ask(request, within: 60).effects else {
                throw .refused("the service does not know effects; update it", exitCode: 1)
            }
            return effects
        }
        let store = try PlayerSettings.store()
        let book = try RoomBook(store: store, clock: HostClock())
        let trust = try store.identity().trust
        return try await RoomSound(book: book, trust: trust, clock: HostClock()).carryOut(edit, in: address)
    }

    /// What is printed.
    static func text(_ effects: EffectsListing) -> String {
        guard !effects.chain.isEmpty else { return "\(effects.room): no effects\n" }
        var parts = ["\(effects.room): \(effects.chain.count == 1 ? "1 effect" : "\(effects.chain.count) effects")"]
        if effects.latencyMs >= 0.05 {
            parts.append("\(String(format: "%.1f", effects.latencyMs)) ms of delay, made up for")
        }
        parts.append("\(String(format: "%.1f", effects.load * 100)) % of a processor")
        return parts.joined(separator: ", ") + "\n" + effects.chain.map { "  \(shown($0))\n" }.joined()
    }

    /// A line of a chain, with the name of an impulse response in place of its SHA-256.
    private static func shown(_ line: String) -> String {
        guard case .convolution(var convolution)? = try? Effect(parsing: line), !convolution.name.isEmpty else {
            return line
        }
        (convolution.impulse, convolution.name) = (convolution.name, "")
        return Effect.convolution(convolution).description
    }
}
