import TuttiAssets
import TuttiCore
package import TuttiRooms
package import TuttiSchema

/// Commands as values: whoever asks, each is carried out here.
extension Player {
    /// Does what a command asks for.
    ///
    /// - Throws: why it is not done; nothing has changed then.
    package func carryOut(_ command: PlayerCommand) throws(SenderError) {
        switch command {
        case .pause: try pause()
        case .resume: try resume()
        case .toggle: try toggle()
        case .stop: stop()
        case .next: try next()
        case .previous: try previous()
        case .seek(let target): try seek(target)
        case .volume(let change, let room):
            // Who sets the volume of a room wants to hear it; what keeps the balance of all rooms leaves muted ones muted.
            var unmutes = room != nil
            if case .to = change { unmutes = true }
            try setVolume(change, room: room, unmutes: unmutes)
        case .mute(let isMuted, let room): try setMuted(isMuted, room: room)
        case .delay(let milliseconds, let room): try setOutputDelay(milliseconds, room: room)
        case .name(let name, let room): try setName(name, room: room)
        case .reference(let room): try setReference(room)
        case .rate(let rate): try setRate(rate)
        case .crossfade(let seconds): try setCrossfade(seconds)
        case .normalise(let normalization): try setNormalization(normalization)
        case .night(let isOn): try setNight(isOn)
        case .audio(let choice): try setAudioTrack(choice)
        case .subtitle(let choice): try setSubtitle(choice)
        case .chapter(let target): try go(to: target)
        case .add(let inputs, _): try add(try assets(inputs))
        case .insert(let inputs, _): try insert(try assets(inputs))
        case .remove(let entries): try remove(entries)
        case .move(let from, let to): try move(from: from, to: to)
        case .replace(let entry, let input): try replace(entry, with: try input.input())
        case .clear: try clear()
        case .jump(let entry): try jump(to: entry)
        case .shuffle(let isShuffled): try setShuffled(isShuffled)
        case .consume(let consumes): try setConsumes(consumes)
        case .repeat(let mode): try setRepeat(mode)
        }
    }

    private func assets(_ inputs: [ControlInput]) throws(SenderError) -> [AssetInput] {
        var assets: [AssetInput] = []
        for input in inputs { assets.append(try input.input()) }
        return assets
    }
}
