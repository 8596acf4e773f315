import TuttiStore

/// What happens to stores.
extension HouseStore {
    /// As a later version leaves it.
    func pretendToBeNewer() throws { try execute("INSERT INTO grdb_migrations (identifier) VALUES ('99')") }

    /// As on a disk that has no room for more than two pages.
    func limitPages() throws {
        let pages = try execute("PRAGMA page_count") ?? 0
        try execute("PRAGMA max_page_count = \(pages + 2)")
    }
}
