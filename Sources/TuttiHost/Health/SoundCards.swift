/// The ALSA cards of this host.
enum SoundCards {
    static func findings(_ tree: SystemTree) -> [HealthFinding] {
        let outputs = tree.names(in: "/proc/asound").filter { $0.hasPrefix("card") && Int($0.dropFirst(4)) != nil }
            .flatMap { card in
                tree.names(in: "/proc/asound/\(card)").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
                    .map { (card: String(card.dropFirst(4)), device: String($0.dropFirst(3).dropLast())) }
            }
        guard !outputs.isEmpty else {
            return [
                HealthFinding(
                    "sound card", .warning, "no card with an output; a speaker here can play only to a file",
                    advice: "only speakers need one; `aplay -l` lists what the kernel has found")
            ]
        }
        return outputs.map { finding(card: $0.card, device: $0.device, tree) }
    }

    private static func finding(card: String, device: String, _ tree: SystemTree) -> HealthFinding {
        let check = "sound card hw:\(card),\(device)"
        let folder = "/proc/asound/card\(card)/pcm\(device)p"
        let name = field("name", of: tree.text(folder + "/info")) ?? tree.text("/proc/asound/card\(card)/id") ?? "?"
        guard tree.isUsable("/dev/snd/pcmC\(card)D\(device)p") else {
            return HealthFinding(
                check, .problem, "\(name): this user may not open it", advice: "add the user to the group audio")
        }
        let parameters = tree.text(folder + "/sub0/hw_params")
        guard let rate = field("rate", of: parameters)?.split(separator: " ").first,
            let period = field("period_size", of: parameters)
        else {
            return HealthFinding(check, .ok, "\(name), free; `tutti-speaker devices` lists the outputs")
        }
        let owner = field("owner_pid", of: tree.text(folder + "/sub0/status")).map { pid in
            "\(tree.text("/proc/\(pid)/comm") ?? "process") \(pid)"
        }
        return HealthFinding(
            check, .ok, "\(name), used by \(owner ?? "another program") at \(rate) Hz, period \(period) frames")
    }

    /// The value in the line `key: value`.
    private static func field(_ key: String, of text: String?) -> String? {
        for line in text?.split(separator: "\n") ?? [] {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: \.isWhitespace).prefix(while: { !$0.isWhitespace }) == key
            else { continue }
            return String(parts[1].drop(while: \.isWhitespace))
        }
        return nil
    }
}
