import Testing
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

@Suite("The player's rules take rooms of any kind") struct GroupRoomTests {
    private static func rooms(_ count: Int, _ change: (MemoryRoom, Int) -> Void = { _, _ in }) -> [any GroupRoom] {
        (0..<count).map { number in
            let room = MemoryRoom("room \(number)", number: number)
            change(room, number)
            return room
        }
    }

    private static func decide(
        _ rooms: [any GroupRoom], isLate: Bool = false, isTooLate: Bool = false, allowsMissing: Bool = true
    ) -> String {
        let decision = StartDecision(
            of: rooms, isLate: isLate, isTooLate: isTooLate, allowsMissing: allowsMissing)
        return switch decision {
        case .wait: "wait"
        case .fail(let error): "\(error)"
        case .start(let late, let missing): "start, late \(late.map(\.number)), missing \(missing.map(\.number))"
        }
    }

    private static func range(_ start: Int64, _ end: Int64) -> TimeRange {
        TimeRange(start: MediaTime(frame: start, sampleRate: 1), end: MediaTime(frame: end, sampleRate: 1))
    }

    @Test("a start waits for rooms until it is late, and then for those that are answering")
    func start() {
        #expect(Self.decide(Self.rooms(2)) == "start, late [], missing []")
        let slow = Self.rooms(3) { room, number in
            if number > 0 { (room.link, room.isAnswering) = (.connecting, number == 1) }
        }
        #expect(Self.decide(slow) == "wait")
        #expect(Self.decide(slow, isLate: true) == "start, late [1], missing [2]")
        let message = "room 2: no answer from 10.0.0.2:7700; check the address and the network"
        #expect(Self.decide(slow, isLate: true, allowsMissing: false) == message)
    }

    @Test("a start fails with the first room's reason when nobody is there")
    func nobody() {
        let refusing = Self.rooms(2) { room, number in
            (room.link, room.problem) = (.refused, .roomRefused(room.label, reason: "no \(number)"))
        }
        #expect(Self.decide(refusing) == "room 0: no 0")
        let answering = Self.rooms(1) { room, _ in (room.link, room.isAnswering) = (.welcomed, true) }
        #expect(Self.decide(answering, isLate: true) == "wait")
        #expect(Self.decide(answering, isLate: true, isTooLate: true).hasPrefix("room 0: no answer"))
    }

    @Test("a room is ready when it is primed, and neither flushing nor outdated")
    func ready() {
        let room = MemoryRoom("kitchen")
        #expect(!room.isReady)
        room.playback = .primed
        #expect(room.isReady)
        room.isFlushing = true
        #expect(!room.isReady)
        (room.isFlushing, room.isOutdated) = (false, true)
        #expect(!room.isReady)
        #expect(![room as any GroupRoom].canResume)
        (room.isOutdated, room.link) = (false, .connecting)
        #expect(!room.isReady)
    }

    @Test("only a room that refuses because of a takeover is taken")
    func taken() {
        let room = MemoryRoom("kitchen")
        (room.link, room.problem) = (.refused, .roomTaken("kitchen", reason: "another sender"))
        #expect(room.isTaken)
        room.takeOver()
        #expect(!room.isTaken)
        (room.link, room.problem) = (.refused, .roomRefused("kitchen", reason: "busy"))
        #expect(!room.isTaken)
    }

    @Test("a room goes by its label and by its speaker's id")
    func names() {
        let room = MemoryRoom("Kitchen")
        room.speakerID = "ab12"
        #expect(room.isCalled("kitchen") && room.isCalled("ab12"))
        #expect(!room.isCalled("") && !room.isCalled("bath"))
    }

    @Test("what all rooms buffer is what each of those buffers that are up")
    func buffers() {
        let rooms = Self.rooms(3) { room, number in
            room.loaded = [[Self.range(0, 10)], [Self.range(2, 5), Self.range(8, 20)], []][number]
            room.bufferSeconds = [60, 30, 1][number]
            if number == 2 { room.link = .connecting }
        }
        #expect(rooms.commonlyLoaded { $0 } == [Self.range(2, 5), Self.range(8, 10)])
        #expect(rooms.leastDepth == 30)
        #expect(Self.rooms(0).commonlyLoaded { $0 }.isEmpty && Self.rooms(0).leastDepth == nil)
    }

    @Test("playback has ended when all rooms that are up have ended")
    func end() {
        let rooms = Self.rooms(2) { room, number in room.playback = number == 0 ? .ended : .playing }
        #expect(!rooms.haveEnded)
        #expect(Array(rooms.prefix(1)).haveEnded)
        #expect(!Self.rooms(1) { room, _ in room.link = .refused }.haveEnded)
    }

    @Test(
        "a volume that keeps the balance is the loudest room's, also after the ends of the scale; muted rooms stay so")
    func balancedVolume() {
        let rooms = Self.rooms(2) { room, number in
            room.setLoudness(VolumeCommand(percent: number == 0 ? 10 : 40, isMuted: number == 0))
        }
        for (volume, levels) in [(60, [30, 60]), (5, [0, 5]), (50, [20, 50]), (0, [0, 0]), (100, [70, 100])] {
            rooms.setVolume(.balanced(Double(volume)), keepsBalance: true, rampMs: 0, unmutes: false)
            #expect(rooms.map(\.loudness.level.percent) == levels.map(Double.init))
        }
        #expect(rooms.map(\.loudness.level.isMuted) == [true, false])
    }

    @Test("a step of all rooms keeps their balance, and another volume ends it")
    func volume() {
        let rooms = Self.rooms(2) { room, number in
            room.setLoudness(VolumeCommand(percent: number == 0 ? 5 : 40, isMuted: number == 0))
        }
        rooms.setVolume(.by(-20), keepsBalance: true, rampMs: 0, unmutes: false)
        #expect(rooms.map(\.loudness.level.percent) == [0, 20])
        rooms.setVolume(.by(20), keepsBalance: true, rampMs: 0, unmutes: false)
        #expect(rooms.map(\.loudness.level.percent) == [5, 40])
        #expect(rooms[0].loudness.level.isMuted)
        rooms.setVolume(.to(30), keepsBalance: true, rampMs: 0, unmutes: true)
        #expect(rooms.map(\.loudness.level.percent) == [30, 30])
        #expect(rooms.allSatisfy { $0.loudness.balance == nil && !$0.loudness.level.isMuted })
    }

    @Test("sending resumes behind what a room keeps around the playhead")
    func resumption() {
        let room = MemoryRoom("kitchen")
        room.kept = [Self.range(3, 9)]
        #expect(room.resumePoint(at: MediaTime(frame: 4, sampleRate: 1)) == MediaTime(frame: 9, sampleRate: 1))
        #expect(room.resumePoint(at: MediaTime(frame: 1, sampleRate: 1)) == MediaTime(frame: 1, sampleRate: 1))
    }
}
