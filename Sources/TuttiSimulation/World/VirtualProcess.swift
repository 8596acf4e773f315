/// A process on a host. What is to happen in it happens while it runs; stopped, or with its host asleep, afterwards;
/// killed, never.
final class VirtualProcess: @unchecked Sendable {
    let host: VirtualHost
    private(set) var isAlive = true
    private(set) var isFrozen = false
    private var delayed: [() -> Void] = []
    private var isCatchingUp = false

    init(on host: VirtualHost) { self.host = host }

    /// Whether anything happens in it.
    var isRunning: Bool { isAlive && !isFrozen && host.isAwake }

    /// Does something now, or as soon as it can.
    func perform(_ body: @escaping () -> Void) {
        guard isAlive else { return }
        if isRunning, delayed.isEmpty { body() } else { delayed.append(body) }
    }

    /// Does something so many nanoseconds later.
    func after(_ delay: Int64, _ body: @escaping () -> Void) {
        host.agenda.at(host.agenda.now + max(delay, 0)) { [weak self] in self?.perform(body) }
    }

    /// Stops it (SIGSTOP) or lets it go on (SIGCONT).
    func setFrozen(_ isFrozen: Bool) {
        self.isFrozen = isFrozen
        catchUp()
    }

    /// Does what has been waiting; the host is awake, or the process was stopped no longer.
    func catchUp() {
        guard !isCatchingUp else { return }
        isCatchingUp = true
        defer { isCatchingUp = false }
        var done = 0
        while isRunning, done < delayed.count {
            delayed[done]()
            done += 1
        }
        delayed.removeFirst(min(done, delayed.count))
    }

    /// The end, as by `kill -9`.
    func kill() {
        isAlive = false
        delayed = []
    }
}
