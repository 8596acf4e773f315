/// What is wrong with a word, a line or a value: what was found and what is allowed, without where.
struct SyntaxFault: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
