import Foundation
import Testing
import TuttiHome
import TuttiRemote
import TuttiSchema

@Suite("A house on a broker") struct HomeModelTests {
    private let status = "tutti/n1/status"

    @Test("nothing is published without a broker, and everything once there is one")
    func connection() {
        var model = House.model()
        model.take(House.view(), at: 0)
        #expect(model.messages(at: 0).isEmpty)
        model.connected()
        let all = model.messages(at: 0)
        #expect(all.last?.topic == status && all.text(status) == "online")
        #expect(model.messages(at: 1).isEmpty && model.deadline == nil)
        model.disconnected()
        model.connected()
        #expect(Set(model.messages(at: 2).map(\.topic)) == Set(all.map(\.topic)))
    }

    @Test("values of a group")
    func group() {
        var model = House.model()
        model.connected()
        model.take(House.view(), at: 0)
        let messages = model.messages(at: 0)
        let group = "tutti/n1/group/downstairs"
        #expect(messages.text(group + "/state") == "playing")
        #expect(messages.text(group + "/volume") == "40" && messages.text(group + "/mute") == "OFF")
        #expect(messages.text(group + "/repeat") == "all" && messages.text(group + "/shuffle") == "OFF")
        #expect(messages.text(group + "/sleep") == "0")
        let track = messages.object(group + "/track")
        #expect(track["title"] as? String == "Air" && track["artist"] as? String == "Bach")
        #expect(track["album"] is NSNull && track["duration"] as? Double == 200)
        let attic = "tutti/n1/group/attic"
        #expect(messages.text(attic + "/state") == "idle" && messages.text(attic + "/volume") == "40")
        #expect(messages.object(attic + "/track")["title"] is NSNull)
        #expect(messages.text(attic + "/repeat") == nil)
    }

    @Test("the loudest room is how loud a group is, and it is mute when all its rooms are")
    func level() {
        var rooms = [House.room("kitchen", "aa"), House.room("Bad", "bb")]
        (rooms[1].volume, rooms[0].muted) = (60.4, true)
        var model = House.shown()
        model.take(House.view(House.status(.playing, rooms)), at: 1)
        #expect(model.messages(at: 1).text("tutti/n1/group/downstairs/volume") == "60")
        rooms[1].muted = true
        model.take(House.view(House.status(.playing, rooms)), at: 2)
        #expect(model.messages(at: 2).text("tutti/n1/group/downstairs/mute") == "ON")
    }

    @Test("values of a room")
    func room() throws {
        var kitchen = House.room("kitchen", "aa")
        (kitchen.syncErrorUs, kitchen.loaded) = (-12.34, try #require(LoadedRanges(seconds: [[0, 130.2]])))
        var model = House.model()
        model.connected()
        model.take(House.view(House.status(.playing, [kitchen])), at: 0)
        let messages = model.messages(at: 0)
        let room = "tutti/n1/room/aa"
        #expect(messages.text(room + "/state") == "playing" && messages.text(room + "/group") == "Downstairs")
        #expect(messages.text(room + "/sync-error") == "-12.3" && messages.text(room + "/buffered") == "120")
        #expect(messages.text(room + "/availability") == "online")
        let attic = "tutti/n1/room/cc"
        #expect(messages.text(attic + "/group") == "None" && messages.text(attic + "/sync-error") == "None")
    }

    @Test("figures that change all the time are published at most each ten seconds")
    func figures() {
        var model = House.shown()
        var count = 0
        for second in 1...60 {
            var kitchen = House.room("kitchen", "aa")
            kitchen.syncErrorUs = Double(second)
            model.take(House.view(House.status(.playing, [kitchen])), at: Double(second))
            count += model.messages(at: Double(second)).filter { $0.topic.hasSuffix("/sync-error") }.count
        }
        #expect(count == 6)
    }

    @Test("numbers that are none do no harm")
    func strange() {
        var kitchen = House.room("kitchen", "aa")
        (kitchen.volume, kitchen.syncErrorUs) = (.nan, .infinity)
        var status = House.status(.playing, [kitchen])
        (status.sleep, status.position) = (1e300, -.infinity)
        var model = House.shown()
        model.take(House.view(status), at: 1)
        #expect(model.messages(at: 1).text("tutti/n1/room/aa/sync-error") == nil)
    }

    @Test("a title is cut where Home Assistant takes no more")
    func longTitle() {
        var status = House.status()
        status.item?.title = String(repeating: "ä", count: 300)
        var model = House.shown()
        model.take(House.view(status), at: 1)
        let title = model.messages(at: 1).object("tutti/n1/group/downstairs/track")["title"] as? String
        #expect(title?.unicodeScalars.count == 255 && title?.hasSuffix("…") == true)
    }

    @Test("what plays without a track's name is called as its file")
    func untitled() {
        var status = House.status()
        status.item?.title = nil
        var model = House.shown()
        model.take(House.view(status), at: 1)
        #expect(
            model.messages(at: 1).object("tutti/n1/group/downstairs/track")["title"] as? String == "air.flac")
    }

    // MARK: Coming and going

    @Test("while the service is away, so is everything")
    func service() {
        var model = House.shown()
        model.serviceIsGone()
        #expect(model.messages(at: 1) == [.init(topic: status, payload: Array("offline".utf8))])
        #expect(model.farewell == .init(topic: status, payload: Array("offline".utf8)))
        model.take(House.view(), at: 2)
        #expect(model.messages(at: 2).map(\.topic) == [status])
    }

    @Test("a deleted group is removed after a moment, with all that it had")
    func deletedGroup() {
        var model = House.shown()
        let named = ["Downstairs": ["kitchen"]]
        model.take(House.view(named: named), at: 10)
        #expect(!model.messages(at: 10).contains { $0.payload.isEmpty })
        #expect(model.deadline == 15)
        let removed = model.messages(at: 15).filter { $0.payload.isEmpty }.map(\.topic)
        #expect(removed.contains("homeassistant/number/n1/group_attic_volume/config"))
        #expect(removed.contains("tutti/n1/group/attic/track"))
        #expect(removed.allSatisfy { $0.contains("attic") })
        #expect(model.messages(at: 16).isEmpty)
        model.take(House.view(), at: 20)
        #expect(model.messages(at: 20).text("tutti/n1/group/attic/state") == "idle")
    }

    @Test("a queue that was put aside is shown if its group has a name")
    func asideGroup() {
        var response = ControlResponse()
        response.stopped = [House.status(.stopped)]
        for named in [[:], ["Downstairs": ["kitchen"]]] {
            var view = House.view(nil, named: named)
            view.take(status: response, named: named, at: 0)
            var model = House.model()
            model.connected()
            model.take(view, at: 0)
            #expect(model.messages(at: 0).text("tutti/n1/group/downstairs/state") == (named.isEmpty ? nil : "idle"))
        }
    }

    @Test("a group that is back in a moment is not removed")
    func restlessGroup() {
        var model = House.shown()
        model.take(House.view(named: [:]), at: 10)
        model.take(House.view(), at: 11)
        #expect(!model.messages(at: 20).contains { $0.payload.isEmpty })
    }

    @Test("a room that is switched off can no longer be used, and is kept")
    func absentRoom() {
        var model = House.shown()
        model.take(House.view(rooms: [House.room("kitchen", "aa"), House.room("Bad", "bb")]), at: 10)
        #expect(model.messages(at: 10).map(\.topic) == ["tutti/n1/room/cc/availability"])
        #expect(model.messages(at: 1000).isEmpty)
        model.take(House.view(), at: 1001)
        #expect(model.messages(at: 1001).text("tutti/n1/room/cc/availability") == "online")
    }

    @Test("a room that somebody has deleted in Home Assistant is forgotten if it is away")
    func deletedRoom() {
        var model = House.shown()
        let topic = "homeassistant/number/n1/room_cc_volume/config"
        model.found(topic, isEmpty: true)
        #expect(model.messages(at: 1).isEmpty)
        model.take(House.view(rooms: [House.room("kitchen", "aa")]), at: 10)
        _ = model.messages(at: 10)
        model.found(topic, isEmpty: true)
        #expect(model.messages(at: 11).contains(.init(topic: topic, payload: [])))
        model.found(topic, isEmpty: true)
        #expect(model.messages(at: 12).isEmpty)
    }

    @Test("what an earlier run has left is removed once the house is known; a room of then is only away")
    func leftovers() {
        var model = House.model()
        model.connected()
        let group = "homeassistant/sensor/n1/group_gone_state/config"
        let old = "homeassistant/sensor/n1/group_attic_mood/config"
        model.found(group, isEmpty: false)
        model.found(old, isEmpty: false)
        model.found("homeassistant/sensor/n1/room_zz_state/config", isEmpty: false)
        model.found("homeassistant/sensor/n2/group_gone_state/config", isEmpty: false)
        model.found("homeassistant/sensor/n1/group_attic_state/config", isEmpty: false)
        #expect(!model.messages(at: 0).contains { $0.payload.isEmpty })
        model.take(House.view(), at: 1)
        let messages = model.messages(at: 1)
        let removed = Set(messages.filter { $0.payload.isEmpty }.map(\.topic))
        #expect(removed.contains(group) && removed.contains("tutti/n1/group/gone/state") && removed.contains(old))
        #expect(removed.allSatisfy { $0 == old || $0.contains("gone") })
        #expect(messages.text("tutti/n1/room/zz/availability") == "offline")
    }

    @Test("Home Assistant's start publishes everything again, and not more often than that makes sense")
    func birth() {
        var model = House.shown()
        model.homeAssistantStarted(at: 5)
        let count = model.messages(at: 5).count
        #expect(count > 50)
        model.homeAssistantStarted(at: 6)
        #expect(model.messages(at: 6).isEmpty)
        model.homeAssistantStarted(at: 16)
        #expect(model.messages(at: 16).count == count)
    }

    @Test("what is published stays bounded, however many rooms there are")
    func bounded() {
        let rooms = (0..<2_000).map { House.room("room \($0)", "id\($0)", .idle) }
        var model = House.model()
        model.connected()
        model.take(House.view(nil, named: [:], rooms: rooms), at: 0)
        #expect(model.messages(at: 0).count < 512 * 20)
    }
}
