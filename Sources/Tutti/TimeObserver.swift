/// Names a time observer of a synchronizer, to remove it by.
public struct TimeObserver: Sendable, Hashable {
    let id: Int
}
