import Foundation
import Logging
import TestSupport
import Testing
import TuttiAssets
import TuttiHost
import TuttiHouse
import TuttiSchema
import TuttiSender
import TuttiStore

/// What a house says to controllers while there is no room to play in.
@Suite(.repeatedWhenDisturbed) struct HouseTests {
    private let store: HouseStore
    private let house: House

    init() throws {
        store = try HouseStore.inMemory(because: "this is a test")
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = try HouseConfiguration(store: store, clock: HostClock(), logger: logger)
        configuration.network = .paper(rooms: ["kitchen", "Büro", "bath", "hall"], files: ["/none.flac"])
        house = House(configuration)
    }

    private func order(_ rooms: [String] = [], groups: [String] = []) -> PlayOrder {
        var order = PlayOrder(inputs: [ControlInput(AssetInput(uri: "/none.flac"), directory: "/")])
        (order.rooms, order.groups) = (rooms, groups)
        return order
    }

    private func answer(_ command: ControlRequest.Command, group: String? = nil) async -> ControlResponse {
        await house.answer(ControlRequest(command, group: group)).response
    }

    private func play(_ order: PlayOrder) async -> ControlResponse {
        await answer(.play(order, name: nil, detach: true))
    }

    private func schedule(_ order: PlayOrder, _ when: String = "in 5h") async -> ControlResponse {
        await answer(.at(when: when, order, name: nil))
    }

    @Test("while nothing plays, commands say so, and that a service runs")
    func nothing() async {
        let commands: [ControlRequest.Command] = [
            .player(.pause), .status, .player(.stop), .queue, .watch, .sleep(seconds: nil),
        ]
        for command in commands {
            let answer = await answer(command)
            #expect(!answer.ok && answer.exitCode == 5 && answer.service == true, "\(command)")
        }
        let named = await answer(.player(.pause), group: "down")
        #expect(named.exitCode == 5)
        #expect(await house.count == 0)
    }

    @Test("stations are kept by name, and mean their addresses where they are played")
    func stations() async throws {
        let jazz = "https://radio.example/jazz.mp3"
        let kept = await answer(.station(.set("Jazz FM", uri: jazz)))
        #expect(kept.stations == [StationListing(name: "Jazz FM", uri: jazz)])
        for (name, uri) in [("", jazz), ("a\nb", jazz), (String(repeating: "a", count: 101), jazz), ("a", "/a.mp3")] {
            #expect(await answer(.station(.set(name, uri: uri))).exitCode == 2, "\(name) \(uri)")
        }
        let names = NamedInputs(store: store)
        let song = ControlInput(uri: "/station:jazz fm")
        let resolved = try names.resolve([song, ControlInput(uri: "station:jazz fm")])
        #expect(resolved == [song, ControlInput(uri: jazz, title: "Jazz FM")])
        var order = order(["kitchen"])
        order.inputs = [ControlInput(uri: "station:jaz fm")]
        for response in [await play(order), await answer(.say(order, detach: true)), await schedule(order)] {
            #expect(response.exitCode == 3 && response.error?.contains("did you mean 'Jazz FM'?") == true)
        }
        #expect(await answer(.station(.remove("pop"))).exitCode == 3)
        #expect(await answer(.station(.remove("JAZZ FM"))).stations == [])
    }

    @Test("parts of a library that is not there are refused")
    func emptyLibrary() async {
        var order = order(["kitchen"])
        for uri in ["album:Kind of Blue", "ARTIST:Miles", "search:\u{7}", "year:1959"] {
            order.inputs = [ControlInput(uri: uri)]
            let response = await play(order)
            #expect(response.exitCode == 3 && response.error?.contains("the library is empty") == true, "\(uri)")
        }
    }

    @Test("a schedule keeps the name of a station, and looks it up when it is due")
    func scheduledStation() async throws {
        _ = await answer(.station(.set("jazz", uri: "http://127.0.0.1:1/jazz.mp3")))
        var order = order(["kitchen"])
        order.inputs.append(ControlInput(uri: "station:jazz"))
        let response = await schedule(order)
        #expect(response.schedules?.first?.order.inputs.last?.uri == "station:jazz")
    }

    @Test("orders that make no sense are refused before anything is done")
    func refusals() async {
        #expect(await play(PlayOrder(inputs: [])).exitCode == 2)
        #expect(await play(order()).exitCode == 2)
        #expect(await play(order(["kitchen@"])).exitCode == 2)
        #expect(await play(order(groups: ["down"])).exitCode == 3)
        var order = order(["kitchen@127.0.0.1"])
        order.codec = "mp3"
        #expect(await play(order).exitCode == 2)
        (order.codec, order.volume) = (nil, 101)
        #expect(await play(order).exitCode == 2)
        (order.volume, order.fade) = (nil, -1)
        #expect(await play(order).exitCode == 2)
        #expect(await house.count == 0)
    }

    @Test("a play that cannot be is refused with 3 before anything is touched, and says what was meant")
    func plans() async {
        func play(_ rooms: [String], _ change: (inout PlayOrder) -> Void = { _ in }) async -> ControlResponse {
            var order = order(rooms)
            change(&order)
            return await self.play(order)
        }
        for rooms in [["attic"], ["kitchen", "attic"], ["shed@127.0.0.1"], ["attic@kitchen"]] {
            #expect(await play(rooms).exitCode == 3, "\(rooms)")
        }
        #expect(await play(["kichen"]).exitCode == 3)
        let text = await play(["kitchen"]) { $0.inputs[0].uri = "/readme.txt" }
        #expect(text.exitCode == 3 && text.error?.contains("/readme.txt") == true)
        let texts = await play(["kitchen"]) {
            $0.inputs[0].uri = "/readme.txt"; $0.inputs.append($0.inputs[0])
        }
        #expect(texts.exitCode == 3 && texts.error?.hasPrefix("none of the inputs") == true)
        #expect(await house.count == 0)
    }

    @Test("an alarm is checked when it is made")
    func checkedAlarms() async throws {
        func make(_ rooms: [String], groups: [String] = [], file: String = "/none.flac") async -> ControlResponse {
            var order = order(rooms, groups: groups)
            order.inputs[0].uri = file
            return await schedule(order)
        }
        try store.remember([.init(name: "Shed", speaker: nil, address: "10.0.0.9:7700", volume: 3, isMuted: nil)])
        await house.start()
        #expect(await make(["attic"]).exitCode == 3)
        #expect(await make([], groups: ["attic"]).exitCode == 3)
        #expect(await make(["kitchen"], file: "/readme.txt").exitCode == 3)
        #expect(try store.schedules().isEmpty)
        // A room that is switched off now may be there by then.
        let away = await make(["shed"])
        #expect(away.ok && away.notices?.count == 1, "\(away)")
        let typo = await make(["shet"])
        #expect(typo.error?.contains("did you mean 'Shed'?") == true, "\(typo)")
    }

    @Test("a group that is deleted takes the alarms that were for it alone with it, and says so")
    func deletedGroup() async throws {
        #expect(await answer(.group(.set("guests", rooms: ["bath"]))).ok)
        for rooms in [[], ["kitchen"]] {
            let made = await schedule(order(rooms, groups: ["Guests"]))
            #expect(made.ok, "\(made)")
        }
        let deleted = await answer(.group(.delete("guests")))
        #expect(deleted.notices?.count == 1 && deleted.notices?[0].contains("cancelled") == true, "\(deleted)")
        let left = try #require(await answer(.schedules).schedules)
        #expect(left.count == 1 && left.first?.order.groups == [] && left.first?.order.rooms == ["kitchen"])
        #expect(try store.schedules().count == 1)
    }

    @Test("tracks wait where nothing plays, in a queue that outlives the house")
    func waiting() async throws {
        let inputs = ["/none.flac", "/more.flac"].map { ControlInput(AssetInput(uri: $0), directory: "/") }
        #expect(await answer(.player(.add(inputs, place: order(["buro"])))).ok)
        let queue = try #require(await answer(.queue).queue)
        #expect(queue.entries.map(\.uri) == ["/none.flac", "/more.flac"])
        #expect(await answer(.player(.remove([0]))).ok)
        let nothing = await answer(.player(.pause))
        #expect(nothing.exitCode == 5 && nothing.error?.contains("resumes 1 track") == true, "\(nothing)")
        let stored = try store.players().found
        #expect(stored.count == 1 && stored[0].record.state.isStopped == true)
        #expect(stored[0].record.entries.map(\.input.uri) == ["/more.flac"])
        #expect(await house.count == 0)
    }

    @Test("groups are edited through it")
    func groups() async throws {
        func edit(_ command: ControlRequest.GroupCommand) async -> ControlResponse { await answer(.group(command)) }
        #expect(
            await edit(.set("down", rooms: ["kitchen@10.0.0.7", "bath"])).groups
                == ["down": ["kitchen@10.0.0.7:7700", "bath"]])
        #expect(await edit(.add("down", rooms: ["hall"])).groups?["down"]?.count == 3)
        #expect(await edit(.remove("down", rooms: ["bath"])).groups?["down"] == ["kitchen@10.0.0.7:7700", "hall"])
        #expect(await edit(.remove("down", rooms: ["attic"])).exitCode == 1)
        #expect(await edit(.add("down", rooms: ["attic"])).exitCode == 3)
        #expect(await edit(.add("down", rooms: ["BURO"])).groups?["down"]?.last == "Büro")
        #expect(await edit(.remove("down", rooms: ["Buro"])).groups?["down"]?.count == 2)
        #expect(await edit(.add("down", rooms: ["@"])).exitCode == 2)
        #expect(await edit(.set("", rooms: ["hall"])).exitCode == 2)
        #expect(try store.groups()["down"]?.count == 2)
        #expect(await edit(.delete("down")).groups == [:])
        #expect(await edit(.delete("down")).exitCode == 3)
    }

    @Test("schedules are made, listed in their order and cancelled, and outlive the house")
    func schedules() async throws {
        func make(_ when: String) async -> ControlResponse {
            await schedule(order(["kitchen@127.0.0.1"]), when)
        }
        #expect(await make("soon").exitCode == 2)
        #expect(await make("1999-01-01 07:00").exitCode == 2)
        let late = try #require(await make("in 5h").schedules?.first)
        let early = try #require(await make("in 2h").schedules?.first)
        #expect(early.group == "kitchen" && early.order.rooms == ["kitchen@127.0.0.1"])
        #expect(await answer(.schedules).schedules?.map(\.number) == [early.number, late.number])
        #expect(await answer(.cancel([99])).exitCode == 3)
        #expect(await answer(.cancel([early.number])).schedules?.map(\.number) == [late.number])
        #expect(try store.schedules().keys.sorted() == [late.number])
    }

    @Test("a start that was missed by more than five minutes is said and not made up for; one that comes again does")
    func missed() async throws {
        let now = Int64(Date().timeIntervalSince1970)
        let once = ScheduleRecord(when: "in 1m", made: now - 400, group: "kitchen", order: order(["kitchen@127.0.0.1"]))
        var daily = once
        daily.when = "daily 07:00"
        daily.done = now - 200_000
        let numbers = try [once, daily].map { try store.addSchedule($0) }
        await house.start()
        for _ in 0..<200 where try store.schedules().values.contains(where: { $0.missed == nil && $0.done < now }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        let listed = try #require(await answer(.schedules).schedules)
        let single = try #require(listed.first { $0.number == numbers[0] })
        #expect(single.missed == Double(now - 340) && single.next == nil)
        let again = try #require(listed.first { $0.number == numbers[1] })
        #expect((again.next ?? 0) > Double(now))
        #expect(await house.count == 0)
        await house.leave()
    }

    @Test("a room's sound is refused with a reason where its file or a room is not there")
    func sound() async {
        let missing = await answer(.effectsFile(room: "kitchen", path: "/nowhere/hall.yaml"))
        #expect(missing.exitCode == 2 && missing.error?.hasPrefix("/nowhere/hall.yaml: no such file") == true)
        let pair = await answer(.stereo(left: "kitchen@", right: "bath", isPair: true))
        #expect(pair.exitCode == 2 && pair.error?.hasPrefix("kitchen@: a room is") == true)
        #expect(await answer(.stereo(left: "nowhere", right: "bath", isPair: true)).exitCode == 3)
        await house.leave()
    }

    @Test("a house begins with whatever numbers are stored, and with whatever numbers it is asked for")
    func numbers() async throws {
        let numbers: [Int64] = [.min, -1, 0, .max]
        for made in numbers {
            for done in numbers {
                for when in ["in 1m", "daily 07:00", "07:00"] {
                    var record = ScheduleRecord(
                        when: when, made: made, group: "kitchen", order: order(["kitchen@127.0.0.1:9"]))
                    (record.done, record.missed) = (done, made)
                    _ = try store.addSchedule(record)
                }
            }
        }
        await house.start()
        #expect(await answer(.schedules).schedules?.count == 48)
        for number in [Int.min, -1, 0, .max] {
            #expect(await answer(.cancel([number])).exitCode == 3)
        }
        for seconds in [-1, 0, 1e-300, 1e300, -1e300] {
            #expect(await answer(.sleep(seconds: seconds)).ok == false)
        }
        for when in ["in 99999999h", "in 9999999999999999999999h", "9999-12-31 23:59", "99:99", "daily 24:00"] {
            _ = await schedule(order(["kitchen@127.0.0.1:9"]), when)
        }
        await house.leave()
    }
}
