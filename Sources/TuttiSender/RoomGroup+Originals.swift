import NIOCore
import TuttiCore
import TuttiFFmpeg
import TuttiWire

/// Original formats, and rooms that cannot decode them all.
extension RoomGroup {
    /// What pieces may travel in when originals are kept.
    private static let originals = FFmpegDecoders.decodable

    /// The log that a room is fed from.
    func log(of room: Room) -> PacketLog { room.plain?.log ?? log }

    /// Gives a room the programme that it can decode. Programmes are made for the rooms that need them.
    func choose(for room: Room, _ welcome: Welcome) {
        guard configuration.keepsOriginals else { return }
        let known = Set(Self.originals.filter { welcome.codecs.contains($0.rawValue) })
        guard known.count < Self.originals.count else {
            room.plain = nil
            return
        }
        let plain = rooms.lazy.compactMap(\.plain).first { $0.codecs == known }
        room.plain = plain ?? PlainProgramme(codecs: known)
    }

    /// Begins, or begins again, what a room is fed from, when that does not reach back to `time`.
    func prepare(_ room: Room, at time: MediaTime) {
        guard let plain = room.plain, let start = log.start, let end = log.end else { return }
        let place = max(time, start)
        guard place < end, !plain.reaches(place) else { return }
        plain.begin(log, at: place, isEnd: programmeEnd != nil, done: takePlain(plain.codecs))
    }

    /// Hands on what was added to the log.
    func appendPlain(_ buffers: [SampleBuffer], isEnd: Bool) {
        for plain in plains { plain.append(buffers, isEnd: isEnd, done: takePlain(plain.codecs)) }
    }

    /// Forgets what begins at `time` or later, or everything; `PacketLog.cut` says what is returned.
    func cutLogs(from time: MediaTime? = nil) -> Int {
        for plain in plains {
            if let time { plain.cut(from: time) } else { plain.removeAll() }
        }
        if let time { return log.cut(from: time) }
        log.removeAll()
        return log.endIndex
    }

    /// Forgets what begins at `time` or later, where pieces go on. What is behind with the encoders of the rooms that get something
    /// else would be lost: they begin anew.
    func cutLogs(insideOfPieceFrom time: MediaTime) -> Int {
        for plain in plains { plain.rest() }
        return log.cut(from: time)
    }

    /// Forgets what lies behind.
    func trimLogs(before time: MediaTime) {
        log.trim(before: time, keepingFrom: log.endIndex)
        for plain in plains { plain.log.trim(before: time, keepingFrom: plain.log.endIndex) }
    }

    private var plains: [PlainProgramme] {
        var seen: Set<Set<AudioFormat.Codec>> = []
        return rooms.compactMap(\.plain).filter { seen.insert($0.codecs).inserted }
    }

    /// What is done with the packets that come out of a programme's encoder.
    private func takePlain(
        _ codecs: Set<AudioFormat.Codec>
    ) -> @Sendable (Int, [SampleBuffer]) -> Void {
        let (loop, group) = (loop, bound)
        return { batch, buffers in
            loop.execute { group.value.take(buffers, of: batch, codecs: codecs) }
        }
    }

    private func take(_ buffers: [SampleBuffer], of batch: Int, codecs: Set<AudioFormat.Codec>) {
        guard let plain = plains.first(where: { $0.codecs == codecs }) else { return }
        for buffer in plain.current(buffers, of: batch) {
            plain.log.append(PacketLog.Entry(buffer: buffer, formatID: formats.id(of: buffer.format)))
        }
        for room in rooms where room.plain === plain { feed(room) }
    }
}
