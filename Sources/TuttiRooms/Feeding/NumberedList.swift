/// A list whose elements keep their numbers while its front is dropped.
struct NumberedList<Element> {
    private var elements: [Element] = []
    /// Elements at the front of `elements` that are gone already.
    private var dropped = 0
    /// The number of `elements[0]`.
    private var base = 0

    /// The number of the first element held.
    var firstIndex: Int { base + dropped }
    /// The number that the next element will get.
    var endIndex: Int { base + elements.count }
    var isEmpty: Bool { firstIndex == endIndex }

    /// The element of this number, if it is held.
    subscript(index: Int) -> Element? { index >= firstIndex && index < endIndex ? elements[index - base] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// The number is given away again.
    @discardableResult
    mutating func removeLast() -> Element? { isEmpty ? nil : elements.removeLast() }

    /// Drops the first element.
    ///
    /// - Complexity: O(1), amortised.
    @discardableResult
    mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[dropped]
        dropped += 1
        if dropped > 256, dropped * 2 > elements.count {
            elements.removeFirst(dropped)
            base += dropped
            dropped = 0
        }
        return element
    }

    /// Drops everything; numbers keep counting.
    mutating func removeAll() {
        base = endIndex
        elements = []
        dropped = 0
    }

    /// The number of the first element for which `isBehind` holds, which holds for all after it; `endIndex` when it holds
    /// for none.
    ///
    /// - Complexity: O(log n).
    func partition(_ isBehind: (Element) -> Bool) -> Int {
        var low = firstIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBehind(elements[middle - base]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
