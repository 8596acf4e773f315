import TuttiOutput

/// A card of a speaker with several, as `--output` has it: `NAME=DEVICE`.
struct SpeakerOutput: Equatable {
    /// Cards of one program.
    static let most = 16

    /// What the room is called.
    let name: String
    let device: String

    /// Nil for what has no name or no device that can be meant.
    init?(parsing text: String) {
        guard let mark = text.firstIndex(of: "=") else { return nil }
        (name, device) = (String(text[..<mark]), String(text[text.index(after: mark)...]))
        guard (1...63).contains(name.utf8.count), OutputDevices.isDefined(device) else { return nil }
    }

    /// All of a list; nil where one of them is none, or two have one name or one folder, or want one channel of a card.
    static func all(_ texts: [String]) -> [SpeakerOutput]? {
        let outputs = texts.compactMap(SpeakerOutput.init)
        guard outputs.count == texts.count, outputs.count <= most, Set(outputs.map(\.folder)).count == outputs.count
        else { return nil }
        for (index, output) in outputs.enumerated() {
            guard !outputs[..<index].contains(where: { ChannelRange.collide($0.device, output.device) }) else {
                return nil
            }
        }
        return outputs
    }

    /// The folder of its state, in that of the program: the name, with `-` for what is neither a letter nor a digit.
    var folder: String {
        let text = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
        return "output-" + String(text)
    }
}
