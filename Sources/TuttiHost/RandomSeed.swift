extension SystemRandomNumberGenerator {
    /// A number that nobody can guess.
    package static func seed() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
