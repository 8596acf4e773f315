import TuttiHost
import TuttiTrust

/// The OpenAPI 3.1 document, made of the route table.
package enum OpenAPIDocument {
    /// The document.
    package static func document(of table: RouteTable) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        var schemas = Problem.schema.named
        for endpoint in table.endpoints {
            paths[RouteTable.prefix + endpoint.path, default: [:]][endpoint.method.rawValue.lowercased()] =
                operation(endpoint)
            if let body = endpoint.body { schemas.merge(body.named) { known, _ in known } }
            if case .json(_, let schema) = endpoint.answer { schemas.merge(schema.named) { known, _ in known } }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Tutti", "version": .string(ProgramVersion.current),
                "description": "Multi-room audio: what plays where. docs/http.md and docs/json.md explain the fields.",
            ],
            "servers": [["url": "/"]],
            "security": [[:], ["token": []]],
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(schemas.mapValues(\.document)),
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "A token of `tutti token new`. Connections from this host need none.",
                    ]
                ],
            ],
        ]
    }

    private static func operation(_ endpoint: Endpoint) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string(identifier(endpoint)),
            "summary": .string(endpoint.summary),
            "description": .string("Needs the scope `\(endpoint.scope.rawValue)` off this host."),
            "responses": .object(responses(endpoint)),
        ]
        var parameters = endpoint.variables.map { name -> JSONValue in
            let isNumber = RouteTable.numbers.contains(name)
            let schema: Schema = isNumber ? .integer(0...0x1p53) : .string(lengths: 1...RouteTable.longestName)
            return ["name": .string(name), "in": "path", "required": true, "schema": schema.document]
        }
        for (name, range) in endpoint.query.sorted(by: { $0.key < $1.key }) {
            let schema = Schema.integer(Double(range.lowerBound)...Double(range.upperBound))
            parameters.append(["name": .string(name), "in": "query", "schema": schema.document])
        }
        for (name, words) in endpoint.words.sorted(by: { $0.key < $1.key }) {
            let schema = Schema.string(among: words)
            parameters.append(["name": .string(name), "in": "query", "schema": schema.document])
        }
        for (name, lengths) in endpoint.texts.sorted(by: { $0.key < $1.key }) {
            let schema = Schema.string(lengths: lengths)
            parameters.append(["name": .string(name), "in": "query", "required": true, "schema": schema.document])
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = endpoint.body {
            operation["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": body.document]],
            ]
        } else if endpoint.file != nil {
            operation["requestBody"] = ["required": true, "content": ["application/octet-stream": [:]]]
        }
        return .object(operation)
    }

    /// `getGroupsQueue` of `GET /groups/{group}/queue`.
    private static func identifier(_ endpoint: Endpoint) -> String {
        let words = endpoint.path.split { "/.{}".contains($0) }
        return endpoint.method.rawValue.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func responses(_ endpoint: Endpoint) -> [String: JSONValue] {
        let problem: JSONValue = [
            "description": "It was not done; `detail` says why.",
            "content": ["application/problem+json": ["schema": Problem.schema.document]],
        ]
        var responses = ["4XX": problem, "503": problem]
        if endpoint.file != nil { responses["507"] = problem }
        func content(_ type: String, _ schema: JSONValue) -> JSONValue {
            ["description": "Done.", "content": .object([type: ["schema": schema]])]
        }
        switch endpoint.answer {
        case .json(let status, let schema):
            responses["\(status)"] = content("application/json", schema.document)
        case .empty: responses["204"] = ["description": "Done."]
        case .document: responses["200"] = content("application/json", ["type": "object"])
        case .picture:
            responses["200"] = content("image/jpeg", [:])
            responses["304"] = ["description": "It is what `If-None-Match` names."]
        case .events: responses["200"] = content("text/event-stream", ["type": "string"])
        case .lines: responses["200"] = content("application/x-ndjson", ["type": "string"])
        }
        return responses
    }
}
