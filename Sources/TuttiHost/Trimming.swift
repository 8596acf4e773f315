extension StringProtocol {
    /// Without spaces at its ends.
    package var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
