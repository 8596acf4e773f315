extension Array where Element: Sendable {
    /// What becomes of each element, in their order, of so many at a time.
    func mapTogether<Value: Sendable>(
        atOnce width: Int, _ body: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            var (next, found) = (startIndex, [Int: Value]())
            func begin() {
                guard next < endIndex else { return }
                let (place, element) = (next, self[next])
                group.addTask { (place, await body(element)) }
                next += 1
            }
            for _ in 0..<width { begin() }
            for await (place, value) in group {
                found[place] = value
                begin()
            }
            return indices.compactMap { found[$0] }
        }
    }
}
