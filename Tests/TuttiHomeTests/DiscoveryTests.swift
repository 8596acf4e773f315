import Foundation
import Testing
import TuttiHome

@Suite("What Home Assistant is told") struct DiscoveryTests {
    private let messages: [RetainedTopics.Message]
    private let configurations: [RetainedTopics.Message]

    init() {
        var model = House.model()
        model.connected()
        model.take(House.view(), at: 0)
        messages = model.messages(at: 0)
        configurations = messages.filter { $0.topic.hasSuffix("/config") }
    }

    @Test("every entity has an id of its own, a device, a name, and topics that there are")
    func all() throws {
        let retained = Set(messages.map(\.topic))
        var ids: Set<String> = []
        for message in configurations {
            let object = messages.object(message.topic)
            let id = try #require(object["unique_id"] as? String)
            #expect(ids.insert(id).inserted)
            #expect((object["name"] as? String)?.isEmpty == false && object["origin"] != nil)
            let device = try #require(object["device"] as? [String: Any])
            #expect((device["identifiers"] as? [String])?.count == 1)
            // Those of a group that has never played are not known yet.
            if let state = object["state_topic"] as? String, !state.contains("/attic/") {
                #expect(retained.contains(state), "\(state)")
            }
            if let command = object["command_topic"] as? String {
                guard case .command(let place, let word) = House.topics.meaning(of: command) else {
                    Issue.record("\(command) is not listened to")
                    continue
                }
                #expect(HomeWord(rawValue: word).map { HomeWord.taken(by: place).contains($0) } == true)
            }
        }
    }

    @Test("the configuration of a number")
    func number() {
        let object = messages.object("homeassistant/number/n1/group_downstairs_volume/config")
        #expect(object["min"] as? Double == 0 && object["max"] as? Double == 100)
        #expect(object["command_topic"] as? String == "tutti/n1/group/downstairs/set/volume")
        #expect(object["state_topic"] as? String == "tutti/n1/group/downstairs/volume")
        let device = object["device"] as? [String: Any]
        #expect(device?["name"] as? String == "Downstairs" && device?["via_device"] as? String == "tutti_n1")
    }

    @Test("a room's entities can be used while both service and room are there, but for the one that tells of it")
    func availability() {
        func topics(_ key: String) -> [String] {
            let object = messages.object("homeassistant/\(key)/config")
            return (object["availability"] as? [[String: String]] ?? []).compactMap { $0["topic"] }
        }
        #expect(topics("number/n1/room_aa_volume") == ["tutti/n1/status", "tutti/n1/room/aa/availability"])
        #expect(topics("binary_sensor/n1/room_aa_connected") == ["tutti/n1/status"])
        #expect(topics("binary_sensor/n1/service_connected").isEmpty)
    }

    @Test("all values of an enumeration are announced")
    func words() {
        let group = messages.object("homeassistant/sensor/n1/group_downstairs_state/config")
        #expect(group["options"] as? [String] == ["playing", "paused", "buffering", "idle"])
        let room = messages.object("homeassistant/sensor/n1/room_aa_state/config")
        #expect((room["options"] as? [String])?.contains("lost-device") == true)
    }
}
