/// A client's wish to be called when there is room for data.
struct MediaRequest: Sendable {
    let number: Int
    let courier: Courier
    let body: @Sendable () -> Void
    /// Whether the client is being called.
    fileprivate(set) var isUnderWay = false
    /// What reads a sequence; nil for calls.
    fileprivate(set) var task: Task<Void, Never>?
}

/// A renderer's client: the newest request, and who waits for room. A part of the renderer's state.
struct MediaRequests: Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var current: MediaRequest?
    private var count = 0
    private var waiters: [Waiter] = []

    /// Takes the place of the request before, which has been ended.
    ///
    /// - Returns: its number.
    mutating func begin(_ courier: Courier, _ body: @escaping @Sendable () -> Void) -> Int {
        count += 1
        current = MediaRequest(number: count, courier: courier, body: body)
        return count
    }

    /// Ends the request.
    ///
    /// - Returns: what is to be cancelled, and whom to wake.
    mutating func end() -> (task: Task<Void, Never>?, waiters: [Waiter]) {
        defer { (current, waiters) = (nil, []) }
        return (current?.task, waiters)
    }

    /// Whether request `number` is the current one.
    func isCurrent(_ number: Int) -> Bool { current?.number == number }

    /// Takes note of what reads a request's sequence.
    ///
    /// - Returns: false when the request is over.
    mutating func setTask(_ task: Task<Void, Never>, of number: Int) -> Bool {
        guard isCurrent(number) else { return false }
        current?.task = task
        return true
    }

    /// Lets `waiter` wait for room.
    ///
    /// - Returns: false when the request is over.
    mutating func wait(_ waiter: Waiter, for number: Int) -> Bool {
        guard isCurrent(number) else { return false }
        waiters.append(waiter)
        return true
    }

    /// There is room: whom to call, unless that is under way, and whom to wake.
    mutating func takeReady() -> (call: MediaRequest?, waiters: [Waiter]) {
        defer { waiters = [] }
        guard current?.task == nil, current?.isUnderWay == false else { return (nil, waiters) }
        current?.isUnderWay = true
        return (current, waiters)
    }

    /// The client has been called.
    mutating func called(_ number: Int) {
        if isCurrent(number) { current?.isUnderWay = false }
    }
}
