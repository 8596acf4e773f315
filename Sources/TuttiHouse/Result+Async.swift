extension Result {
    /// What comes of `body`, as for one that does not wait.
    package init(catching body: @Sendable () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
