import Testing
import TuttiCore
import TuttiHTTP
import TuttiSchema

@Suite struct SchemaTests {
    private func json(_ text: String) throws -> JSONValue { try #require(JSONValue(Array(text.utf8))) }

    /// A status with everything in it that can be.
    private var full: PlayerStatus {
        var room = RoomStatus(name: "kitchen", id: "1", address: "h:1", state: .playing)
        (room.volume, room.muted, room.announcing, room.outputDelayMs) = (40, false, true, 1.5)
        room.figures.systemClock = SystemClockStatus(
            used: true, reason: "r", synchronised: true, maxErrorUs: 1, estimatedErrorUs: 1, offsetUs: 1,
            offsetSigmaUs: 1)
        room.figures.loaded = LoadedRanges(seconds: [[0, 1]]) ?? LoadedRanges()
        var status = PlayerStatus(
            state: .playing, position: 1, rate: 1,
            item: PlayerStatus.Item(index: 0, id: 3, title: "t", duration: 9, uri: "u", station: "s"),
            queue: PlayerStatus.Queue(
                length: 1, index: 0, repeat: .all, shuffle: true, consume: false, crossfade: 2), rooms: [room],
            reference: "kitchen", referencePpm: 1, referenceMessage: "m")
        (status.group, status.sleep) = ("g", 3)
        status.encoding = PlayerStatus.Encoding(processorSeconds: 0.5, soundSeconds: 60)
        return status
    }

    @Test func whatAStatusIsWrittenAsFitsItsSchema() throws {
        let closed = try SchemaReader.schema(of: PlayerStatus.self).closed
        #expect(closed.fault(in: try #require(JSONValue(JSONLine.encode(full)))) == nil)
        let bare = PlayerStatus(
            state: .stopped, position: 0, rate: 0, queue: PlayerStatus.Queue(length: 0, index: 0), rooms: [])
        #expect(closed.fault(in: try #require(JSONValue(JSONLine.encode(bare)))) == nil)
        #expect(closed.fault(in: try json(#"{"state":"playing"}"#)) == "position is missing")
    }

    @Test func whatAnOrderIsWrittenAsFitsTheSchemaOfBodies() throws {
        var order = PlayOrder(inputs: [ControlInput(uri: "/a", title: "t", start: [0, 1], end: [1, 1])])
        (order.rooms, order.codec, order.bitrate, order.any, order.gain) = (["r"], "opus", 64, true, -3)
        let schema = try Schema.order()
        #expect(schema.fault(in: try #require(JSONValue(JSONLine.encode(order)))) == nil)
        #expect(schema.fault(in: try json(#"{"inputs":[]}"#)) == "inputs must be of 1 to 100000 elements")
        #expect(schema.fault(in: try json(#"{"inputs":[{"uri":1}]}"#)) == "inputs[0].uri must be a text")
        #expect(schema.fault(in: try json(#"{"inputs":[{"uri":"a"}],"x":1}"#)) == "x is not known here")
        #expect(schema.fault(in: try json(#"{}"#)) == "inputs is missing")
        #expect(schema.fault(in: try json(#"[]"#)) == "the body must be an object")
    }

    @Test func numbersAndChoicesAreChecked() throws {
        let schema = Schema.choice(
            ["volume": .number(0...100), "by": .integer(-5...5), "on": .boolean, "mode": .string(among: ["a", "b"])],
            exclusive: ["volume", "by"])
        let right = [#"{"volume":0}"#, #"{"volume":99.5,"on":true}"#, #"{"by":-5}"#, #"{"by":5.0}"#, #"{"mode":"b"}"#]
        for text in right { #expect(schema.fault(in: try json(text)) == nil, "\(text)") }
        let wrong = [
            "{}", #"{"volume":101}"#, #"{"volume":"1"}"#, #"{"by":1.5}"#, #"{"by":6}"#, #"{"volume":1,"by":1}"#,
            #"{"on":1}"#, #"{"mode":"c"}"#, #"{"volume":null}"#, #"{"VOLUME":1}"#,
        ]
        for text in wrong { #expect(schema.fault(in: try json(text)) != nil, "\(text)") }
    }

    @Test func documentsRefersToTypesByName() throws {
        let table = try RouteTable()
        let document = OpenAPIDocument.document(of: table)
        let known = try #require(document["components"]?["schemas"])
        for name in ["PlayerStatus", "RoomStatus", "QueueListing", "Schedule", "PlayOrder", "Input", "Problem"] {
            #expect(known[name] != nil, "\(name)")
        }
        // Every reference leads somewhere.
        let text = String(decoding: JSONLine.encode(document), as: UTF8.self)
        for part in text.split(separator: "\"$ref\":\"#/components/schemas/").dropFirst() {
            let name = String(part.prefix { $0 != "\"" })
            #expect(known[name] != nil, "\(name)")
        }
    }

    @Test func everyEndpointIsInTheDocument() throws {
        let table = try RouteTable()
        let document = OpenAPIDocument.document(of: table)
        var identifiers: Set<String> = []
        for endpoint in table.endpoints {
            let path = document["paths"]?[RouteTable.prefix + endpoint.path]
            let operation = try #require(path?[endpoint.method.rawValue.lowercased()])
            #expect((operation["requestBody"] != nil) == (endpoint.body != nil || endpoint.file != nil))
            identifiers.insert(try #require(operation["operationId"]?.text))
        }
        #expect(identifiers.count == table.endpoints.count)
    }
}
