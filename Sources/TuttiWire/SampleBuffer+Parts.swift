package import TuttiCore

extension SampleBuffer {
    /// The buffer as it travels: its pre-roll as buffers without sound, then itself. Where its decoder begins anew, the
    /// first of them says so.
    package var parts: [SampleBuffer] {
        guard let preroll, !preroll.isEmpty else { return [self] }
        var parts: [SampleBuffer] = []
        for packet in preroll {
            let part = SampleBuffer(
                format: format, presentationTime: presentationTime, frameCount: packet.frameCount,
                trimAtStart: packet.frameCount, data: packet.data, preroll: parts.isEmpty ? [] : nil)
            if let part { parts.append(part) }
        }
        let own = SampleBuffer(
            format: format, presentationTime: presentationTime, frameCount: frameCount, trimAtStart: trimAtStart,
            trimAtEnd: trimAtEnd, data: data)
        return parts + [own ?? self]
    }
}
