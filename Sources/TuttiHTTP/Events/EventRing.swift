package import NIOCore
import TuttiCore

/// The last events, each with a number. A listener that was away for a while gets what it missed; one that missed more
/// than is kept, or comes from before a restart, is told to read everything anew.
package struct EventRing: Sendable {
    /// Where a listener is.
    package struct Cursor: Sendable, Equatable {
        /// Which ring it is of: numbers of one ring mean nothing in another.
        package var epoch: UInt32
        /// The last event that it has.
        package var number: UInt64

        package init(epoch: UInt32, number: UInt64) {
            self.epoch = epoch
            self.number = number
        }
    }

    /// Events and bytes that are kept: with two groups, some ten minutes.
    package static let (mostEvents, mostBytes) = (2_048, 8 << 20)
    /// Events that are handed out at once.
    private static let batch = 256

    /// Who gets an event.
    package enum Audience: Sendable, Equatable {
        /// Everybody.
        case all
        /// Everybody but guests.
        case household
        /// Everybody but guests of other groups.
        case group(String)

        fileprivate func includes(_ guest: String?) -> Bool {
            guard let guest else { return true }
            switch self {
            case .all: return true
            case .household: return false
            case .group(let name): return Names.areSame(name, guest)
            }
        }
    }

    private struct Frame {
        var bytes: ByteBuffer
        let audience: Audience
    }

    /// This ring's own.
    package let epoch: UInt32
    private var frames: [Frame] = []
    /// Frames at the beginning that are gone already.
    private var gone = 0
    private var byteCount = 0
    /// The number of the last event.
    private var last: UInt64 = 0

    /// A ring without events.
    package init(epoch: UInt32) { self.epoch = epoch }

    /// Where a listener is that has everything.
    package var end: Cursor { Cursor(epoch: epoch, number: last) }

    private var count: Int { frames.count - gone }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - name: its kind.
    ///   - data: its JSON, one line.
    ///   - audience: who gets it.
    package mutating func append(_ name: String, _ data: some Sequence<UInt8>, for audience: Audience = .all) {
        last += 1
        let frame = Frame(bytes: Self.frame(end, name, data), audience: audience)
        frames.append(frame)
        byteCount += frame.bytes.readableBytes
        while count > 1, count > Self.mostEvents || byteCount > Self.mostBytes {
            byteCount -= frames[gone].bytes.readableBytes
            frames[gone].bytes = ByteBuffer()
            gone += 1
        }
        if gone > Self.mostEvents {
            frames.removeFirst(gone)
            gone = 0
        }
    }

    /// What a listener is to be sent next, and where it is then; empty if there is nothing for it on the way there.
    ///
    /// - Parameters:
    ///   - cursor: where it is; nil if it is new.
    ///   - guest: the only group that it may hear of; nil for one that may hear everything.
    package func next(after cursor: Cursor?, for guest: String? = nil) -> (bytes: ByteBuffer, cursor: Cursor) {
        guard let cursor, cursor.epoch == epoch, cursor.number <= last, last - cursor.number <= UInt64(count) else {
            return (Self.frame(end, "reset", Array(#"{"event":"reset"}"#.utf8)), end)
        }
        let missing = Int(last - cursor.number)
        let from = frames.count - missing
        var bytes = ByteBuffer()
        for frame in frames[from..<min(from + Self.batch, frames.count)] where frame.audience.includes(guest) {
            bytes.writeImmutableBuffer(frame.bytes)
        }
        let sent = UInt64(min(missing, Self.batch))
        return (bytes, Cursor(epoch: epoch, number: cursor.number + sent))
    }

    private static func frame(_ cursor: Cursor, _ name: String, _ data: some Sequence<UInt8>) -> ByteBuffer {
        var frame = ByteBuffer(string: "id: \(cursor)\nevent: \(name)\ndata: ")
        frame.writeBytes(data)
        frame.writeString("\n\n")
        return frame
    }
}

extension EventRing.Cursor: LosslessStringConvertible {
    /// As `Last-Event-ID` has it.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let epoch = UInt32(parts[0], radix: 16), let number = UInt64(parts[1]) else {
            return nil
        }
        self.init(epoch: epoch, number: number)
    }

    package var description: String { "\(String(epoch, radix: 16))-\(number)" }
}
