import TuttiCore
import TuttiSchema

/// What guests may do: those whose token is for one group. It lists what they may; everything else they may not.
package struct GuestRule: Sendable {
    /// Endpoints that answer guests with what concerns their group only.
    private static let filtered: Set<String> = [
        "GET /status", "GET /access", "GET /openapi.json", "GET /groups", "GET /rooms", "POST /uploads", "POST /say",
    ]
    /// Endpoints of a group that change which rooms it has, and how they keep time.
    private static let closed: Set<String> = [
        "PUT /groups/{group}", "DELETE /groups/{group}", "POST /groups/{group}/rooms",
        "DELETE /groups/{group}/rooms/{room}", "PUT /groups/{group}/reference",
    ]
    /// What they may set in a room of their group.
    private static let settings: Set<String> = ["volume", "by", "muted"]

    /// Where files lie that were sent.
    let uploads: String

    /// - Parameter uploads: where files lie that were sent.
    package init(uploads: String) { self.uploads = uploads }

    /// - Throws: `.forbidden` for guests.
    static func expectNone(_ permit: Permit) throws(Problem) {
        if let group = permit.group { throw forbidden(group) }
    }

    /// Checks a request whose path and body are as their schemas say.
    ///
    /// - Throws: `.forbidden` for what is not a guest's to do.
    package func check(_ endpoint: Endpoint, _ call: Call) async throws(Problem) {
        guard let guest = call.permit.group else { return }
        let key = "\(endpoint.method.rawValue) \(endpoint.path)"
        if endpoint.path.hasPrefix("/groups/{group}"), !Self.closed.contains(key) {
            guard Names.areSame(call.group, guest) else { throw Self.forbidden(guest) }
        } else if endpoint.path == "/rooms/{room}" {
            let room = call.parameters["room"] ?? ""
            guard try await call.guestRooms().contains(where: { Names.areSame($0, room) }),
                Set(call.fields.keys).isSubset(of: Self.settings)
            else { throw Self.forbidden(guest) }
        } else if !Self.filtered.contains(key) {
            throw Self.forbidden(guest)
        }
        try checkPlace(in: call.fields, guest)
        if let text = call.fields["subtitle"]?.text { try checkSubtitle(text) }
        if endpoint.path.hasSuffix("/queue/{entry}") { try checkInput(.object(call.fields), guest) }
        if case .array(let inputs)? = call.fields["inputs"] {
            for input in inputs { try checkInput(input, guest) }
        }
    }

    /// An order of theirs names no rooms, no groups but their own, and no reference room.
    private func checkPlace(in fields: [String: JSONValue], _ guest: String) throws(Problem) {
        if fields["reference"] != nil { throw Self.forbidden(guest) }
        for name in ["rooms", "groups"] {
            guard case .array(let places)? = fields[name] else { continue }
            for place in places {
                guard name == "groups", Names.areSame(place.text ?? "", guest) else { throw Self.forbidden(guest) }
            }
        }
    }

    /// What they play comes from the network, or was sent: the host's files are the household's.
    private func checkInput(_ input: JSONValue, _ guest: String) throws(Problem) {
        guard let uri = input["uri"]?.text else { return }
        let scheme = uri.prefix(8).lowercased()
        if scheme.hasPrefix("http://") || scheme == "https://" { return }
        try checkPath(uri)
    }

    private func checkPath(_ path: String) throws(Problem) {
        guard path.hasPrefix(uploads + "/"), !path.split(separator: "/").contains("..") else {
            throw Problem(.forbidden, "a guest plays addresses, and files that were sent; not files of this host")
        }
    }

    /// Subtitles that they name are the film's, or were sent.
    private func checkSubtitle(_ text: String) throws(Problem) {
        guard case .file(let path)? = try? TrackChoice(parsing: text, of: .subtitle) else { return }
        try checkPath(path)
    }

    private static func forbidden(_ group: String) -> Problem {
        Problem(.forbidden, "this token is for the group \(group) and its rooms only")
    }
}

extension Call {
    /// The fields of the body; none for what is no object.
    fileprivate var fields: [String: JSONValue] {
        if case .object(let fields)? = JSONValue(body) { fields } else { [:] }
    }

    /// The rooms of a guest's group, by name: those that it has, and those that it plays in now.
    func guestRooms() async throws(Problem) -> [String] {
        let named = try await namedGroups().values.joined().map { String($0.prefix { $0 != "@" }) }
        return named + (try await allStatuses().groups.flatMap(\.rooms).map(\.name))
    }
}
