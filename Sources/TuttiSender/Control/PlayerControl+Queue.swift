import TuttiAssets
import TuttiPlayback

extension PlayerControl {
    /// Edits the queue.
    func editQueue(_ request: ControlRequest) async throws(SenderError) {
        switch request.command {
        case .add: try await player.add(try inputs(request))
        case .insert: try await player.insert(try inputs(request))
        case .remove:
            guard let entries = request.entries, !entries.isEmpty else { throw .badOption("say which entries") }
            try await player.remove(entries)
        case .move:
            guard let entries = request.entries, entries.count == 2 else { throw .badOption("say from where to where") }
            try await player.move(from: entries[0], to: entries[1])
        case .replace:
            let inputs = try inputs(request)
            guard inputs.count == 1 else { throw .badOption("one piece takes the place of another") }
            try await player.replace(try entry(request), with: inputs[0])
        case .jump: try await player.jump(to: try entry(request))
        case .clear: try await player.clear()
        case .shuffle: try await player.setShuffled(try isOn(request))
        case .consume: try await player.setConsumes(try isOn(request))
        case .repeat:
            guard let mode = request.mode.flatMap(RepeatMode.init(rawValue:)) else {
                throw .badOption("repeat is off, all or one")
            }
            try await player.setRepeat(mode)
        default: break
        }
    }

    private func inputs(_ request: ControlRequest) throws(SenderError) -> [AssetInput] {
        var inputs: [AssetInput] = []
        for input in request.inputs ?? [] { inputs.append(try input.input()) }
        guard !inputs.isEmpty else { throw .badOption("say what to play") }
        return inputs
    }

    private func entry(_ request: ControlRequest) throws(SenderError) -> Int {
        guard let entries = request.entries, entries.count == 1 else { throw .badOption("say which entry") }
        return entries[0]
    }

    private func isOn(_ request: ControlRequest) throws(SenderError) -> Bool {
        switch request.mode {
        case "on": return true
        case "off": return false
        default: throw .badOption("it is on or off")
        }
    }
}
