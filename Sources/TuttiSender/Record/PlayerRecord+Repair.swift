import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiProduction
package import TuttiRooms

/// From a record of which parts are damaged to one that a player takes: what is whole of it stays.
extension PlayerRecord {
    /// What was stored of a player, as far as it can be understood.
    package struct Remains {
        /// Nil for one that is damaged.
        package var state: State?
        /// Nil for one that is damaged.
        package var order: Order?
        /// The numbers in a damaged order: some of them are entries' still, in their order.
        package var numbers: [UInt64]
        /// Those that can be understood.
        package var entries: [Entry]
        /// Where to play when the state is damaged.
        package var rooms: [RoomAddress]

        /// Remains of these parts.
        package init(state: State?, order: Order?, numbers: [UInt64], entries: [Entry], rooms: [RoomAddress]) {
            self.state = state
            self.order = order
            self.numbers = numbers
            self.entries = entries
            self.rooms = rooms
        }
    }

    /// The record that can be made of the remains: all entries that are whole, in their order as far as that is known;
    /// stopped at the beginning of one where nothing else is known any more.
    ///
    /// - Returns: nil when no entry is left, or no room to play in.
    package static func repaired(_ remains: Remains) -> PlayerRecord? {
        var entries: [UInt64: Entry] = [:]
        for var entry in remains.entries where entries[entry.id] == nil && entry.id < .max {
            if entry.info?.isPlausible == false { entry.info = nil }
            entries[entry.id] = entry
        }
        // What lies on the timeline is known from there too.
        for track in remains.state?.lane ?? [] where entries[track.entry] == nil {
            guard remains.order?.ids.contains(track.entry) == true else { continue }
            entries[track.entry] = Entry(id: track.entry, input: track.input, info: track.info)
        }
        guard let last = entries.keys.max() else { return nil }
        let order = order(of: entries, remains)
        let record = PlayerRecord(
            state: remains.state ?? state(in: remains.rooms), order: order, entries: Array(entries.values))
        for candidate in [record, record.begunAnew(in: remains.rooms)] {
            var candidate = candidate
            candidate.state.nextEntry = max(candidate.state.nextEntry, last + 1)
            if remains.state == nil { candidate.state.current = order.ids.first }
            if let current = candidate.state.current, entries[current] == nil {
                candidate.state.current = successor(of: current, remains, among: order.ids)
            }
            if candidate.isUsable, !candidate.state.rooms.isEmpty { return candidate }
        }
        return nil
    }

    /// Whether a player takes it.
    package var isUsable: Bool {
        guard (try? configuration(identity: SenderIdentity(id: "", name: ""), clock: HostClock())) != nil,
            (try? queue()) != nil, (try? timeline()) != nil
        else { return false }
        return true
    }

    /// The same queue, of which nothing is known but its entries.
    private func begunAnew(in rooms: [RoomAddress]) -> PlayerRecord {
        let known = state.rooms.map(\.address)
        var record = self
        record.state = Self.state(in: known.isEmpty ? rooms : known)
        record.state.current = order.ids.contains(state.current ?? .max) ? state.current : order.ids.first
        record.order.unshuffled = nil
        return record
    }

    private static func order(of entries: [UInt64: Entry], _ remains: Remains) -> Order {
        if let order = remains.order {
            let ids = order.ids.filter { entries[$0] != nil }
            let unshuffled = order.unshuffled?.filter { entries[$0] != nil }
            let isWhole =
                Set(ids).count == ids.count && unshuffled.map { Set($0) == Set(ids) && $0.count == ids.count } ?? true
            // An entry that no order names has been taken out by an edit, or its number is damaged there.
            if isWhole, ids.count == entries.count { return Order(ids: ids, unshuffled: unshuffled) }
        }
        var missing = Set(entries.keys)
        var places: [UInt64?] = []
        for number in remains.order?.ids ?? remains.numbers where places.count < 2 * entries.count {
            places.append(missing.remove(number))
        }
        // A number that is damaged stands where one of those belongs that no number names.
        var rest = missing.sorted()[...]
        var ids: [UInt64] = []
        for place in places {
            if let id = place ?? rest.popFirst() { ids.append(id) }
        }
        return Order(ids: ids + rest)
    }

    /// The entry that comes after one that is lost.
    private static func successor(of entry: UInt64, _ remains: Remains, among ids: [UInt64]) -> UInt64? {
        let left = Set(ids)
        let before = remains.order?.ids ?? remains.numbers
        guard let place = before.firstIndex(of: entry) else { return ids.first }
        return before[place...].first(where: left.contains) ?? before[..<place].last(where: left.contains)
    }

    /// A player of which nothing is known but its rooms.
    private static func state(in rooms: [RoomAddress]) -> State {
        let encoder = (try? EncodingOptions())?.encoder
        return State(
            stream: UInt32.random(in: 1...UInt32.max),
            rooms: rooms.map { StoredRoom($0) },
            farewells: nil,
            encoding: Encoding(
                codec: .flac, keepsOriginals: true, bitrate: encoder?.opusBitrate ?? 160_000, gain: 1),
            current: nil, nextEntry: 0, repeatMode: .off, consumes: false, lane: [], nextSerial: 0, followed: -1,
            end: nil, rate: 1, crossfade: .zero,
            line: StoredTimebase(rate: 0, media: .zero, group: 0, timescale: 0), earlierLines: [], heard: .zero,
            isHeld: true,
            isStopped: true)
    }
}
