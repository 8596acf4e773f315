import NIOCore
package import TuttiCore
import TuttiSchema
package import TuttiWire

/// Pictures: from the log to the rooms that have a screen. They travel between the packets of sound, in the order of
/// their times, so that no edit waits behind minutes of pictures.
extension RoomGroup {
    /// Whether any room shows pictures.
    package var hasScreens: Bool { rooms.contains { $0.isUp && $0.isScreen } }

    /// From where on some screen lacks pictures; nil where none does.
    package var picturesWantedFrom: MediaTime? {
        rooms.filter { $0.isUp && $0.isScreen && $0.feed.pictureCursor == nil }
            .map { max($0.feed.resumeAt - Self.overlap, position) }.min()
    }

    /// How far back pictures are sent again to a screen that has had some: it may have got fewer of them than of the
    /// sound.
    private static let overlap = MediaTime(frame: 2, sampleRate: 1)

    /// Adds what follows to the timeline's pictures.
    package func append(pictures: [VideoSampleBuffer], beginsAnew: Bool, upTo time: MediaTime) {
        self.pictures.append(pictures, beginsAnew: beginsAnew, upTo: time)
        feed()
    }

    /// Adds the texts that follow above the timeline's pictures.
    package func append(captions: [CaptionPacket]) {
        pictures.append(captions)
        feed()
    }

    /// Forgets the texts that begin at `time` or later; what takes their place begins with their end.
    package func cutCaptions(from time: MediaTime) {
        pictures.cutCaptions(from: time)
        for room in rooms { pictures.rewind(&room.feed) }
    }

    /// Whether any room shows texts above pictures.
    package var hasCaptions: Bool { rooms.contains { $0.isUp && $0.session.welcome?.showsCaptions == true } }

    /// Forgets the pictures that begin at `time` or later, or all.
    package func cutPictures(from time: MediaTime?) {
        pictures.cut(from: time)
        for room in rooms { pictures.rewind(&room.feed) }
    }

    /// Sends a room the pictures before `time`, as far as credit and connection take them.
    ///
    /// - Parameter hasSent: set where anything was sent.
    /// - Returns: whether the sound at `time` may follow: all of those that there are have been sent.
    func sendPictures(before time: MediaTime, to room: Room, on media: any Channel, _ hasSent: inout Bool) -> Bool {
        guard room.isScreen else { return true }
        var begins = false
        var cursor = room.feed.pictureCursor ?? pictures.log.endIndex
        if room.feed.pictureCursor == nil {
            let place = max(room.feed.resumeAt - Self.overlap, position)
            // The picture of that place, or the last before it, may still be on its way.
            guard let made = pictures.madeUpTo, made >= place else { return true }
            (cursor, begins) = (pictures.log.entrance(at: place), true)
            room.feed.captionCursor = pictures.captions.entrance(at: place)
            if let end = CaptionPacket(.end(place)) { hasSent = send(end, to: room, on: media) || hasSent }
        }
        defer { room.feed.pictureCursor = cursor }
        if cursor < pictures.log.firstIndex { (cursor, begins) = (pictures.log.entrance(at: position), true) }
        guard sendCaptions(before: time, to: room, on: media, &hasSent) else { return false }
        while let entry = pictures.log[cursor], entry.picture.presentationTime <= time {
            guard shows(entry.picture, room) else {
                cursor += 1
                continue
            }
            guard media.isWritable, room.session.allows(entry.picture) else { return false }
            carryOut(room.session.announce(entry.picture.format, id: entry.formatID, now: now), in: room)
            let packets = room.session.packets(
                for: entry.picture, formatID: entry.formatID, beginsAnew: begins || entry.beginsAnew)
            for packet in packets {
                let header = packet.encodedHeader()
                var bytes = media.allocator.buffer(capacity: header.count + packet.payload.count)
                bytes.writeBytes(header)
                bytes.writeBytes(packet.payload)
                media.write(bytes, promise: nil)
            }
            (begins, hasSent) = (false, true)
            cursor += 1
        }
        return true
    }

    /// Sends a room the texts before `time`, as far as credit and connection take them.
    ///
    /// - Returns: whether all of those that there are have been sent.
    private func sendCaptions(
        before time: MediaTime, to room: Room, on media: any Channel, _ hasSent: inout Bool
    ) -> Bool {
        room.feed.captionCursor = max(room.feed.captionCursor, pictures.captions.firstIndex)
        while let caption = pictures.captions[room.feed.captionCursor], caption.start <= time {
            guard media.isWritable, room.session.allows(caption) else { return false }
            hasSent = send(caption, to: room, on: media) || hasSent
            room.feed.captionCursor += 1
        }
        return true
    }

    /// Sends one.
    ///
    /// - Returns: false for a room that shows none.
    private func send(_ caption: CaptionPacket, to room: Room, on media: any Channel) -> Bool {
        guard room.session.welcome?.showsCaptions == true else { return false }
        let frame = room.session.frame(of: caption)
        var bytes = media.allocator.buffer(capacity: frame.count)
        bytes.writeBytes(frame)
        media.write(bytes, promise: nil)
        return true
    }

    /// Whether a room's screen shows such a picture; where it does not it is said once.
    private func shows(_ picture: VideoSampleBuffer, _ room: Room) -> Bool {
        let codec = picture.format.codec
        let problem: String
        if room.session.welcome?.pictureCodecs.contains(codec.rawValue) != true {
            problem = "its screen cannot decode \(codec.rawValue)"
        } else if picture.data.count > WireLimits.pictureBytes
            || picture.format.magicCookie.count > WireLimits.magicCookieBytes
        {
            problem = "they are too large"
        } else {
            return true
        }
        if room.feed.unseen.insert(codec).inserted {
            report(.room(name: room.label, .told("pictures"), message: "pictures are not shown: \(problem)"))
        }
        return false
    }
}

extension Room {
    /// Whether it shows pictures.
    var isScreen: Bool { session.welcome?.isScreen ?? false }
}
