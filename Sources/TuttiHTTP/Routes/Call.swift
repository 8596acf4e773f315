package import TuttiSchema

/// Whom requests are carried out by: the service behind its control socket.
package protocol ServiceAnswering: Sendable {
    /// Asks for something.
    ///
    /// - Throws: `.unavailable` when no service answers. That it refuses is in the response.
    func answer(to request: ControlRequest) async throws(Problem) -> ControlResponse
}

/// One request over HTTP, as its endpoint sees it: everything in it has been checked against the endpoint's schemas.
package struct Call: Sendable {
    /// What stands in the place of the path's `{names}`.
    let parameters: [String: String]
    /// The numbers of the query, by name.
    var query: [String: Int] = [:]
    /// The words of the query, by name.
    var words: [String: String] = [:]
    /// The texts of the query, by name.
    var texts: [String: String] = [:]
    /// The body, JSON; empty without one.
    let body: [UInt8]
    /// The path of the file that the body was, where the endpoint is lent one.
    package var file: String?
    /// What its sender may do.
    package let permit: Permit
    /// Tokens and claims; nil where there are none.
    let trust: TrustDesk?
    private let service: any ServiceAnswering

    /// A request whose path and body have been checked.
    package init(
        parameters: [String: String], body: [UInt8], service: any ServiceAnswering, permit: Permit = .all,
        trust: TrustDesk? = nil
    ) {
        self.parameters = parameters
        self.body = body
        self.service = service
        self.permit = permit
        self.trust = trust
    }

    /// The group of the path.
    var group: String { parameters["group"] ?? "" }

    /// A number of the path.
    ///
    /// - Throws: `.notFound`, for nothing has a number that is none.
    func number(_ name: String) throws(Problem) -> Int {
        let text = parameters[name] ?? ""
        // JSON has no larger ones that are exact.
        guard let number = Self.wholeNumber(text), number <= 1 << 53 else {
            throw Problem(.notFound, "\(text): not a number")
        }
        return number
    }

    /// The number of a text of digits alone.
    private static func wholeNumber(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// The body.
    ///
    /// - Throws: `.invalid` for numbers that are no number of this type.
    func decoded<Body: Decodable>(_ type: Body.Type = Body.self) throws(Problem) -> Body {
        guard let value: Body = JSONLine.decode(body) else {
            throw Problem(.invalid, "a number in the body is out of its range")
        }
        return value
    }

    /// Asks the service.
    ///
    /// - Throws: what it answers in place of doing it, or that it does not answer.
    func ask(_ request: ControlRequest) async throws(Problem) -> ControlResponse {
        let response = try await service.answer(to: request)
        guard response.ok else { throw Problem(response) }
        return response
    }

    /// What the service answers, whether it does it or not.
    func tryToAsk(_ request: ControlRequest) async throws(Problem) -> ControlResponse {
        try await service.answer(to: request)
    }

    /// Asks for something that is answered by how one group stands.
    func status(_ request: ControlRequest) async throws(Problem) -> PlayerStatus {
        guard let status = try await ask(request).status else {
            throw Problem(.unavailable, "the service's answer cannot be read; is it another version?")
        }
        return status
    }

    /// Gives the group of the path a command.
    func command(_ command: PlayerCommand) async throws(Problem) -> PlayerStatus {
        try await status(ControlRequest(command, group: group))
    }

    /// Takes what of a query the endpoint knows.
    ///
    /// - Throws: `.invalid` for what is not as the endpoint has it.
    package mutating func take(query text: some StringProtocol, of endpoint: Endpoint) throws(Problem) {
        query = try Self.numbers(ofQuery: text, known: endpoint.query)
        words = try Self.words(ofQuery: text, known: endpoint.words)
        texts = try Self.texts(ofQuery: text, known: endpoint.texts)
    }

    /// The texts of a query, such as `name=A%20song.flac`.
    ///
    /// - Throws: `.invalid` for one that is missing, stands there twice, is no coding of UTF-8, or has another length.
    package static func texts(
        ofQuery text: some StringProtocol, known: [String: ClosedRange<Int>]
    ) throws(Problem) -> [String: String] {
        var texts: [String: String] = [:]
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.flatMap({ PercentCoding.decode($0) }), let lengths = known[name] else {
                continue
            }
            let coded = String(pair.count > 1 ? pair[1] : "").split(separator: "+", omittingEmptySubsequences: false)
            guard let value = PercentCoding.decode(coded.joined(separator: " ")),
                lengths.contains(value.unicodeScalars.count), texts[name] == nil
            else {
                throw Problem(
                    .invalid, "\(name): a text of \(lengths.lowerBound) to \(lengths.upperBound) characters, once")
            }
            texts[name] = value
        }
        for name in known.keys.sorted() where texts[name] == nil {
            throw Problem(.invalid, "\(name) is missing: add `?\(name)=…` to the address")
        }
        return texts
    }

    /// The words of a query, such as `by=added`.
    ///
    /// - Throws: `.invalid` for one that is not known, or stands there twice. Other names mean nothing.
    package static func words(
        ofQuery text: some StringProtocol, known: [String: [String]]
    ) throws(Problem) -> [String: String] {
        var words: [String: String] = [:]
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.flatMap({ PercentCoding.decode($0) }), let known = known[name] else { continue }
            let word = pair.count > 1 ? String(pair[1]) : ""
            guard known.contains(word), words[name] == nil else {
                throw Problem(.invalid, "\(name): one of \(known.joined(separator: ", ")), once")
            }
            words[name] = word
        }
        return words
    }

    /// The numbers of a query, such as `size=640`.
    ///
    /// - Throws: `.invalid` for what is no number of its range, or stands there twice. Other names mean nothing.
    package static func numbers(
        ofQuery text: some StringProtocol, known: [String: ClosedRange<Int>]
    ) throws(Problem) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.flatMap({ PercentCoding.decode($0) }), let range = known[name] else { continue }
            let digits = pair.count > 1 ? pair[1] : ""
            guard let number = wholeNumber(digits), range.contains(number), numbers[name] == nil else {
                throw Problem(.invalid, "\(name): a whole number from \(range.lowerBound) to \(range.upperBound), once")
            }
            numbers[name] = number
        }
        return numbers
    }
}
