/// What is to happen, in order of true time; what is due at one time happens in the order in which it was put down.
///
/// Guard of this and of everything else in the world that is `@unchecked Sendable`: the one thread that runs the world.
final class Agenda: @unchecked Sendable {
    /// When something is to happen. What it is lies elsewhere, so that sorting moves plain numbers only.
    private struct Entry {
        let time: Int64
        let number: UInt64
        let place: Int

        func comesBefore(_ other: Entry) -> Bool {
            time < other.time || time == other.time && number < other.number
        }
    }

    /// True time, in nanoseconds since the beginning.
    private(set) var now: Int64 = 0
    /// How much has happened.
    private(set) var count: UInt64 = 0
    private var nextNumber: UInt64 = 0
    private var heap: [Entry] = []
    /// What is to happen, and the places there that are free.
    private var bodies: [(() -> Void)?] = []
    private var freePlaces: [Int] = []

    /// Lets `body` happen at `time`, or now when that has passed.
    func at(_ time: Int64, _ body: @escaping () -> Void) {
        heap.append(Entry(time: max(time, now), number: nextNumber, place: keep(body)))
        nextNumber += 1
        rise(heap.count - 1)
    }

    private func keep(_ body: @escaping () -> Void) -> Int {
        guard let place = freePlaces.popLast() else {
            bodies.append(body)
            return bodies.count - 1
        }
        bodies[place] = body
        return place
    }

    private func takeBody(at place: Int) -> (() -> Void)? {
        precondition(bodies[place] != nil, "each thing happens once")
        let body = bodies[place].take()
        freePlaces.append(place)
        return body
    }

    /// Lets everything happen that is due up to `time`.
    func run(until time: Int64) {
        while let first = heap.first, first.time <= time {
            precondition(first.time >= now, "time runs forwards")
            removeFirst()
            now = first.time
            count += 1
            takeBody(at: first.place)?()
        }
        now = max(now, time)
    }

    private func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].comesBefore(heap[child]) { child += 1 }
            guard heap[child].comesBefore(last) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = last
    }

    private func rise(_ index: Int) {
        let entry = heap[index]
        var place = index
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry.comesBefore(heap[parent]) else { break }
            heap[place] = heap[parent]
            place = parent
        }
        heap[place] = entry
    }
}
