/// What is to happen, in order of true time; what is due at one time happens in the order in which it was put down.
///
/// Guard of this and of everything else in the world that is `@unchecked Sendable`: the one thread that runs the world.
final class Agenda: @unchecked Sendable {
    private struct Entry {
        let time: Int64
        let number: UInt64
        let body: () -> Void

        func comesBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// True time, in nanoseconds since the beginning.
    private(set) var now: Int64 = 0
    /// How much has happened.
    private(set) var count: UInt64 = 0
    private var nextNumber: UInt64 = 0
    private var heap: [Entry] = []

    /// Lets `body` happen at `time`, or now when that has passed.
    func at(_ time: Int64, _ body: @escaping () -> Void) {
        heap.append(Entry(time: max(time, now), number: nextNumber, body: body))
        nextNumber += 1
        rise(heap.count - 1)
    }

    /// Lets everything happen that is due up to `time`.
    func run(until time: Int64) {
        while let first = heap.first, first.time <= time {
            removeFirst()
            now = first.time
            count += 1
            first.body()
        }
        now = max(now, time)
    }

    private func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].comesBefore(heap[child]) { child += 1 }
            guard heap[child].comesBefore(heap[place]) else { return }
            heap.swapAt(child, place)
            place = child
        }
    }

    private func rise(_ index: Int) {
        var place = index
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].comesBefore(heap[parent]) else { return }
            heap.swapAt(place, parent)
            place = parent
        }
    }
}
