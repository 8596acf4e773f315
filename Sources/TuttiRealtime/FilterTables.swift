import Glibc

/// The filters that somebody has.
///
/// Safety of `@unchecked Sendable`: `tables` is touched under `lock` only. That is one of the C library, which the
/// thread sanitizer knows; filters are made outside of it, since the thread that renders may wait for it while a device
/// is opened.
final class FilterTables: @unchecked Sendable {
    private struct Rates: Hashable {
        let source: Double
        let output: Double
    }

    private struct Entry {
        weak var table: FilterTable?
    }

    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var tables: [Rates: Entry] = [:]

    init() {
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// The filter for these rates; a new one where nobody has it.
    func table(sourceRate: Double, outputRate: Double) -> FilterTable {
        let rates = Rates(source: sourceRate, output: outputRate)
        if let table = withLock({ tables[rates]?.table }) { return table }
        let table = FilterTable(sourceRate: sourceRate, outputRate: outputRate)
        return withLock {
            if let other = tables[rates]?.table { return other }
            tables = tables.filter { $0.value.table != nil }
            tables[rates] = Entry(table: table)
            return table
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}
