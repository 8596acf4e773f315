import Foundation
import Testing
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

@Suite struct HouseStoreTests {
    private let folder = Folder()
    private let kitchen = RoomAddress(name: "kitchen", host: "10.0.0.7", port: 7701)
    private let bath = RoomAddress(name: "bath")

    private func open() throws -> HouseStore { try HouseStore(directory: folder.path) }

    /// The locks of this process on the store's file, as the kernel tells. While others come and go, it may leave some out
    /// of its list, and never adds any: the most that five lists have is what there is.
    private func locks() throws -> Int {
        var status = stat()
        #expect(stat(folder.path + "/tutti.sqlite", &status) == 0)
        let place = "\(getpid()) "
        return try (0..<5).map { _ in
            try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                .count { $0.contains("POSIX") && $0.contains(place) && $0.contains(":\(status.st_ino) ") }
        }.max() ?? 0
    }

    @Test func anotherUseInTheSameProcessLeavesTheLocksInPlace() throws {
        let first = try open()
        _ = try first.identity()
        let held = try locks()
        #expect(held > 0, "SQLite holds one for as long as a store with a log is open")
        _ = try open().groups()
        #expect(try locks() == held)
        withExtendedLifetime(first) {}
    }

    @Test func stationsAreKeptByName() throws {
        let first = try open()
        try first.setStation("Küche FM", to: "http://a/1")
        try first.setStation("jazz", to: "http://a/2")
        try first.setStation("kuche fm", to: "http://a/3")
        first.close()
        let second = try open()
        #expect(try second.stations() == ["kuche fm": "http://a/3", "jazz": "http://a/2"])
        try second.removeStation("jazz")
        #expect(try second.stations().keys.sorted() == ["kuche fm"])
        for number in 1..<1_000 { try second.setStation("\(number)", to: "http://a") }
        #expect(throws: SenderError.self) { try second.setStation("one more", to: "http://a") }
        try second.setStation("1", to: "http://b")
        #expect(try second.stations()["1"] == "http://b")
    }

    @Test func whatWasWrittenIsThereAgain() throws {
        let first = try open()
        let identity = try first.identity()
        try first.setGroup("down", to: [kitchen])
        try first.add([bath, RoomAddress(name: "kitchen", host: "10.0.0.8")], toGroup: "down")
        let room = HouseStore.KnownRoom(
            name: "kitchen", speaker: "k1", address: "10.0.0.8:7700", volume: 33.5, isMuted: true)
        try first.remember([room])
        try first.beginFades(["kitchen": 40, "bath": 20])
        try first.endFades(["Bath"])
        first.close()
        let second = try open()
        #expect(try second.identity() == identity && !identity.id.isEmpty && second.remarks.isEmpty)
        #expect(try second.groups() == ["down": [bath, RoomAddress(name: "kitchen", host: "10.0.0.8")]])
        #expect(try second.rooms() == [room])
        #expect(try second.fades() == ["kitchen": 40])
        try second.remove(["bath"], fromGroup: "down")
        #expect(try open().groups()["down"]?.map(\.name) == ["kitchen"])
        try second.deleteGroup("down")
        #expect(try open().groups().isEmpty)
    }

    @Test("a room that is called otherwise is so in groups, schedules, and in what is known of it")
    func renamed() throws {
        let store = try open()
        try store.setGroup("down", to: [kitchen, bath])
        try store.setGroup("bath", to: [bath])
        let room = HouseStore.KnownRoom(
            name: "kitchen", speaker: "k1", address: "10.0.0.7:7701", volume: 33, isMuted: false)
        try store.remember([room])
        try store.beginFades(["kitchen": 40])
        var order = PlayOrder(inputs: [])
        order.rooms = ["Kitchen@10.0.0.7:7701", "bath"]
        let number = try store.addSchedule(ScheduleRecord(when: "07:00", made: 1, group: "down", order: order))
        try store.renameRoom("Kitchen", to: "Küche")
        let renamed = RoomAddress(name: "Küche", host: "10.0.0.7", port: 7701)
        #expect(try store.groups() == ["down": [renamed, bath], "bath": [bath]])
        #expect(try store.rooms().map(\.name) == ["Küche"])
        #expect(try store.fades() == ["Küche": 40])
        #expect(try store.schedules()[number]?.order?.rooms == ["Küche@10.0.0.7:7701", "bath"])
        try store.renameRoom("nobody", to: "somebody")
        #expect(try store.rooms().map(\.name) == ["Küche"])
    }

    @Test("who opens a new store while another makes it finds it whole")
    func madeByManyAtOnce() async throws {
        for _ in 0..<15 {
            let folder = Folder()
            let identities = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let store = try HouseStore(directory: folder.path)
                        #expect(store.remarks.isEmpty)
                        return try store.identity().id
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(identities.count == 1)
        }
    }

    @Test("rooms are put back to how they were before the first alarm, whatever came after it")
    func alarmLevels() throws {
        let first = try open()
        try first.beginAlarm(["bedroom": .init(volume: 20, isMuted: true), "bath": .init(volume: 5, isMuted: false)])
        try first.beginAlarm(["Bedroom": .init(volume: 50, isMuted: false)])
        first.close()
        let second = try open()
        try second.endAlarm(["BATH"])
        #expect(try second.alarmLevels() == ["bedroom": .init(volume: 20, isMuted: true)])
    }

    @Test func unknownNamesAreSaidAndChangeNothing() throws {
        let store = try open()
        #expect(throws: SenderError.noSuchGroup("up")) { try store.deleteGroup("up") }
        #expect(throws: SenderError.noSuchGroup("up")) { try store.remove(["a"], fromGroup: "up") }
        try store.setGroup("up", to: [bath, kitchen])
        #expect(throws: SenderError.notNow("attic: not in the group up")) {
            try store.remove(["bath", "attic"], fromGroup: "up")
        }
        #expect(try store.groups()["up"] == [bath, kitchen])
    }

    @Test func filesOfEarlierVersionsAreTakenOverOnce() throws {
        let groups = #"{"groups":{"down":[{"name":"kitchen","host":"10.0.0.7","port":7701}]}}"#
        try folder.write("groups.json", groups)
        try folder.write("sender-id", "abc123\n")
        let store = try open()
        #expect(try store.identity().id == "abc123")
        #expect(try store.groups() == ["down": [kitchen]])
        #expect(folder.names.contains("groups.json.old") && !folder.names.contains("groups.json"))
        try store.deleteGroup("down")
        try folder.write("groups.json", groups)
        try folder.write("sender-id", "other\n")
        let again = try open()
        #expect(try again.groups().isEmpty)
        #expect(try again.identity().id == "abc123")
    }

    @Test(
        "what is no store is set aside and kept",
        arguments: ["this is no database, but it is somebody's", "SQLite format 3\u{0}and then nothing of the kind"])
    func strangers(content: String) throws {
        try folder.write("tutti.sqlite", content)
        try folder.write("tutti.sqlite-wal", "log")
        let store = try open()
        #expect(store.remarks.count == 1 && store.remarks[0].contains("tutti-unreadable-1.sqlite"), "\(store.remarks)")
        #expect(try folder.read("tutti-unreadable-1.sqlite") == content)
        #expect(try folder.read("tutti-unreadable-1.sqlite-wal") == "log")
        try store.setGroup("up", to: [bath])
        #expect(try open().groups().count == 1)
    }

    @Test func aDamagedStoreIsSetAsideUnderAnotherNumber() throws {
        for number in 1...2 {
            let store = try open()
            for index in 0..<200 { try store.setGroup("group \(number) \(index)", to: [kitchen, bath]) }
            store.close()
            let path = folder.path + "/tutti.sqlite"
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
            try bytes.write(to: URL(fileURLWithPath: path))
            let next = try open()
            #expect(next.remarks.count == 1, "\(next.remarks)")
            #expect(try folder.data("tutti-unreadable-\(number).sqlite") == bytes)
            #expect(try next.groups().isEmpty)
            next.close()
        }
    }

    @Test("a page that is damaged takes only what is on it")
    func salvage() throws {
        let store = try open()
        let identity = try store.identity()
        for index in 0..<400 { try store.setGroup("group \(index)", to: [kitchen, bath]) }
        try store.remember([
            HouseStore.KnownRoom(name: "bath", speaker: nil, address: "10.0.0.8:7700", volume: 40, isMuted: false)
        ])
        store.close()
        let path = folder.path + "/tutti.sqlite"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        // Pages are of 4096 bytes; the first one says what tables there are.
        for page in 1..<whole.count / 4096 {
            var bytes = whole
            for index in 0..<200 { bytes[page * 4096 + index] = 0xA5 }
            for name in folder.names where name.hasPrefix("tutti") {
                try FileManager.default.removeItem(atPath: folder.path + "/" + name)
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            let next = try open()
            let groups = try next.groups().count
            let rooms = try next.rooms().count
            #expect(groups >= 300 || rooms == 1, "page \(page): \(groups) groups, \(rooms) rooms, \(next.remarks)")
            let isWhole = groups == 400 && rooms == 1
            #expect(!next.remarks.isEmpty || isWhole, "page \(page): \(next.remarks)")
            #expect(try next.identity() == identity)
            next.close()
        }
    }

    @Test("whoever uses a store that somebody closes gets an error, and nothing worse")
    func closing() async throws {
        for _ in 0..<20 {
            let store = try open()
            try store.setGroup("up", to: [bath])
            await withTaskGroup(of: Void.self) { tasks in
                for number in 0..<4 {
                    tasks.addTask {
                        for _ in 0..<20 {
                            if number == 0 { _ = try? store.groups() } else { try? store.setGroup("up", to: []) }
                        }
                    }
                }
                tasks.addTask { store.close() }
            }
            #expect(throws: SenderError.self) { try store.groups() }
            #expect(throws: SenderError.self) { try store.setGroup("up", to: []) }
        }
    }

    @Test func aStoreOfANewerVersionIsSetAside() throws {
        let store = try open()
        try store.setGroup("up", to: [bath])
        try store.pretendToBeNewer()
        store.close()
        let next = try open()
        #expect(next.remarks.count == 1 && next.remarks[0].contains("tutti-newer-1.sqlite"), "\(next.remarks)")
        #expect(try next.groups().isEmpty)
    }

    @Test func troubleIsSaidOnceAndSoIsItsEnd() throws {
        let store = try open()
        let lines = Lines()
        store.onTrouble { lines.append($0) }
        try store.limitPages()
        let long = (0..<2_000).map { RoomAddress(name: "a room with a long name, number \($0)") }
        for _ in 0..<3 { #expect(throws: SenderError.self) { try store.setGroup("long", to: long) } }
        #expect(lines.all.count == 1 && lines.all[0].contains("the disk is full"), "\(lines.all)")
        try store.setGroup("short", to: [bath])
        try store.setGroup("short", to: [kitchen])
        #expect(lines.all.count == 2, "\(lines.all)")
        #expect(try store.groups() == ["short": [kitchen]])
    }

    @Test func twoProcessesMayUseIt() throws {
        let (one, other) = (try open(), try open())
        try one.setGroup("up", to: [bath])
        try other.setGroup("down", to: [kitchen])
        #expect(try one.groups().count == 2 && other.identity() == one.identity())
    }

    @Test func withoutAPlaceItIsInMemory() throws {
        #expect(throws: SenderError.self) { try HouseStore(directory: "/proc/nowhere") }
        let store = try HouseStore.inMemory(because: "there is no disk")
        try store.setGroup("up", to: [bath])
        #expect(try store.groups().count == 1)
        #expect(try store.identity().id.isEmpty == false)
        #expect(
            store.remarks == ["there is no disk; changes are kept in memory only and are lost when this program ends"])
    }
}
