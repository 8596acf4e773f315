import Foundation
import Testing
import TuttiSender

@Suite struct GroupStoreTests {
    private let kitchen = RoomAddress(name: "kitchen", host: "10.0.0.7", port: 7701)
    private let bath = RoomAddress(name: "bath")

    @Test func groupsOutliveTheStore() throws {
        let scratch = try Scratch()
        let directory = scratch.path + "/deep/state"
        let store = GroupStore(directory: directory)
        #expect(try store.load().isEmpty)
        try store.set("down", to: [kitchen])
        try store.add([bath, RoomAddress(name: "kitchen", host: "10.0.0.8")], to: "down")
        let members = try GroupStore(directory: directory).load()["down"]
        #expect(members == [bath, RoomAddress(name: "kitchen", host: "10.0.0.8")])
        try store.remove(["bath"], from: "down")
        #expect(try store.load()["down"]?.map(\.name) == ["kitchen"])
        try store.delete("down")
        #expect(try store.load().isEmpty)
    }

    @Test func unknownNamesAndBrokenFilesAreSaid() throws {
        let scratch = try Scratch()
        let store = GroupStore(directory: scratch.path)
        #expect(throws: SenderError.noSuchGroup("up")) { try store.delete("up") }
        #expect(throws: SenderError.noSuchGroup("up")) { try store.remove(["a"], from: "up") }
        try store.set("up", to: [bath])
        #expect(throws: SenderError.self) { try store.remove(["kitchen"], from: "up") }
        _ = try scratch.file("groups.json", Data("{".utf8))
        #expect(throws: SenderError.self) { try store.load() }
    }

    @Test func theIdentityStays() throws {
        let scratch = try Scratch()
        let first = try SenderIdentity.load(from: scratch.path + "/state")
        #expect(try SenderIdentity.load(from: scratch.path + "/state") == first)
        #expect(!first.id.isEmpty && !first.name.isEmpty)
        #expect(throws: SenderError.self) { try SenderIdentity.load(from: "/proc/nowhere") }
    }
}
