import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// Rooms share a clock before anybody plays in them.
    @Suite("Idle clock", .serialized)
    struct IdleClockTests {
        private let served: ServedHouse
        private var house: Household { served.house }

        init() throws { served = try ServedHouse("idle-clock") }

        /// What `tutti status` says while nothing plays.
        private func status() throws -> String { try served.tutti("status", code: 5).text }

        private func count(_ words: String) throws -> Int { try status().components(separatedBy: words).count - 1 }

        @Test(
            "a service has its rooms share a clock; they keep it when it ends, and each when it is started again itself"
        )
        func service() throws {
            let names = ["k", "l", "m"]
            for name in names { try house.startNullSpeaker(name, buffer: "1m") }
            let service = try served.serve()
            try served.tutti(
                "group", "set", "down", house.speakers[0].room, house.speakers[1].room, house.speakers[2].room)
            let areTogether = try house.eventually(within: 20) { try count("clock known within") == 3 }
            let said = try status()
            #expect(areTogether, "\(said)")
            #expect(house.speakers.allSatisfy { $0.words.contains("following the group clock") })
            served.end(service)
            #expect(
                house.eventually(within: 10) {
                    house.speakers.contains { $0.words.contains("leading the group clock") }
                })
            let isLedByOne = house.eventually(within: 10) {
                let parts = house.speakers.map(\.lastPart)
                return parts.count { $0 == "leading" } == 1 && parts.count { $0 == "asking" } == 2
            }
            #expect(isLedByOne, "\(house.speakers.map(\.words).joined(separator: "\n"))")
            #expect(house.speakers.count { $0.words.contains("leading the group clock") } == 1)
            // Its last word of the clock is on the disk, and the next process begins with it.
            let third = house.speakers[2]
            third.process.stop(signal: SIGTERM)
            let again = try house.startNullSpeaker("m", buffer: "1m")
            #expect(again.words.contains("keeping the group clock"), "\(again.words)")
            // None of this was anything that plays: no device was opened.
            for speaker in house.speakers { #expect(!speaker.words.contains("sender connected"), "\(speaker.words)") }
            house.endSpeakers()
        }
    }
}

extension Household.Speaker {
    /// The last that its log says of its part in the group clock since the member that began it is gone.
    fileprivate var lastPart: Substring? {
        words.matches(of: #/(leading) the group clock|(asking) another member/#).last
            .flatMap { $0.output.1 ?? $0.output.2 }
    }
}
