import Testing
import TuttiSimulation

/// What single faults do to a house of the real programs.
struct WorldFaultTests {
    /// A room's sound is where it belongs.
    private static func isInStep(_ room: RoomObservation) -> Bool {
        room.state == "playing" && room.truth.lateness.map { max(abs($0.least), abs($0.greatest)) < 100_000 } ?? false
    }

    /// Rooms other than the first have played all the time.
    private static func othersNoticeNothing(_ end: HouseObservation) -> Bool {
        end.rooms.dropFirst().allSatisfy { $0.truth.isUnbroken }
    }

    @Test func aRoomThatIsCutOffPlaysOnAndIsFilledAgain() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3, minutes: 2),
            """
            0s user desk all play
            20s cut speaker room1
            80s mend speaker room1
            """)
        #expect(broken == [])
        let end = try #require(seen.last)
        #expect(end.rooms.allSatisfy { $0.truth.dropouts == 0 && $0.truth.silentEmpty == 0 && Self.isInStep($0) })
        let cut = try #require(seen.at(79))
        #expect(try #require(cut.rooms[0].loaded.last).upper < (try #require(cut.rooms[1].loaded.last)).upper)
        #expect(end.rooms[0].loaded.last == end.rooms[1].loaded.last)
    }

    /// Cards that begin late, move in steps, count ahead, stand and jump; each runs dry once.
    @Test func roomsOnCardsOfThePopulationStayTogether() throws {
        var scenario = WorldHouse.scenario(rooms: 4)
        for index in scenario.rooms.indices { scenario.rooms[index].card = Card(seed: UInt64(index + 1)) }
        let (seen, broken) = try WorldHouse.play(
            scenario,
            """
            0s user desk all play
            """ + (1...4).map { "\n\(20 + 5 * $0)s xrun room\($0)" }.joined())
        #expect(broken == [])
        let end = try #require(seen.last)
        for room in end.rooms {
            let lateness = try #require(room.truth.lateness)
            #expect(max(abs(lateness.least), abs(lateness.greatest)) < 200_000, "\(room.name): \(lateness)")
        }
    }

    /// It does not know the clock for a moment, and people ask for things just then.
    @Test func whatIsAskedOfASenderThatWakesIsDoneWhereTheProgrammeStands() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 2, minutes: 2),
            """
            0s user desk all play
            20s kill sender desk
            25s restart sender desk
            60s suspend sender desk
            64s user desk all pause
            68s wake sender desk
            """)
        #expect(broken == [])
        let timebase = try #require(seen.at(75)?.senders.first?.groups.first?.timebase)
        #expect(timebase.rate == 0)
        #expect((67 * WorldHouse.second...69 * WorldHouse.second).contains(timebase.media))
        #expect(seen.at(75)?.rooms.allSatisfy { $0.timebase?.media == timebase.media } == true)
    }

    @Test func eachSideOfAPartitionHasALeaderAndAfterwardsThereIsOne() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 4),
            """
            0s user desk all play
            20s partition speaker room1 speaker room2
            35s heal
            """)
        #expect(broken == [])
        let leaders = [19, 34, 50].map { second in
            seen.at(second).map { moment in
                (moment.rooms.compactMap(\.clock) + moment.senders.flatMap(\.clocks)).count { $0.leader == nil }
            }
        }
        #expect(leaders == [1, 2, 1])
        #expect(try #require(seen.last).rooms.allSatisfy(Self.isInStep))
    }

    @Test func aProcessThatStoodStillIsBackInStep() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3),
            """
            0s user desk all play
            20s freeze speaker room1
            25s thaw speaker room1
            """)
        #expect(broken == [])
        #expect(try #require(seen.at(24)).rooms[0].truth.played.isEmpty)
        #expect(Self.isInStep(try #require(seen.at(28)).rooms[0]))
        #expect(Self.othersNoticeNothing(try #require(seen.last)))
    }

    @Test func aCardThatRanDryIsBackInStep() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3),
            """
            0s user desk all play
            20s xrun room1
            """)
        #expect(broken == [])
        #expect(Self.isInStep(try #require(seen.at(23)).rooms[0]))
        #expect(Self.othersNoticeNothing(try #require(seen.last)))
    }

    @Test func aCardThatWasPulledOutSoundsAgainWhenItIsBack() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3),
            """
            0s user desk all play
            20s unplug room1
            30s plug room1
            """)
        #expect(broken == [])
        let gone = try #require(seen.at(29)).rooms[0]
        #expect(gone.state == "lost-device" && gone.truth.played.isEmpty)
        #expect(Self.isInStep(try #require(seen.at(33)).rooms[0]))
        #expect(Self.othersNoticeNothing(try #require(seen.last)))
    }

    @Test func aFullDiskStopsNothing() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3),
            """
            0s user desk all play
            15s diskfull sender desk
            16s diskfull speaker room1
            20s user desk all volume room1 40
            25s kill sender desk
            27s restart sender desk
            40s diskfree sender desk
            """)
        #expect(broken == [])
        #expect(try #require(seen.at(24)).rooms[0].volume == 40)
        let end = try #require(seen.last)
        #expect(end.rooms.allSatisfy { Self.isInStep($0) && $0.truth.dropouts == 0 && $0.truth.silentEmpty == 0 })
        #expect(end.senders[0].groups[0].isKnown)
    }

    @Test func aLinkThatLosesFramesKeepsItsConnections() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3),
            """
            0s user desk all play
            10s lose sender desk 0.05
            50s mend sender desk
            """)
        #expect(broken == [])
        #expect(seen.filter { $0.at > 5 * WorldHouse.second }.allSatisfy { $0.rooms.allSatisfy { $0.owner == "desk" } })
        #expect(Self.othersNoticeNothing(try #require(seen.last)))
    }

    @Test func aLinkThatSwallowsLargeFramesIsSentShortOnes() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 2),
            """
            0s user desk all play
            500ms blackhole speaker room1 1000
            """)
        #expect(broken == [])
        let room = try #require(seen.last?.rooms.first)
        #expect(room.truth.dropouts == 0 && room.truth.silentEmpty == 0)
        let held = try #require(room.loaded.last)
        #expect(held.upper - held.lower > 300 * WorldHouse.second)
    }

    @Test func whoAskedLastHasTheRooms() throws {
        var scenario = WorldHouse.scenario(rooms: 2)
        scenario.senders.append(SenderPlan(name: "attic"))
        scenario.groups.append(
            GroupPlan(name: "up", sender: "attic", rooms: ["room1", "room2"], queue: ["song1"], start: nil))
        let (seen, broken) = try WorldHouse.play(
            scenario,
            """
            0s user desk all play
            20s user attic up play
            """)
        #expect(broken == [])
        #expect(seen.at(19)?.rooms.map(\.owner) == ["desk", "desk"])
        let later = seen.filter { $0.at > 23 * WorldHouse.second }
        #expect(later.allSatisfy { $0.rooms.map(\.owner) == ["attic", "attic"] })
        #expect(later.last?.senders[0].groups[0].state.isPlaying == false)
        #expect(try #require(later.last).rooms.allSatisfy(Self.isInStep))
    }

    @Test func roomsComeAndGo() throws {
        var scenario = WorldHouse.scenario(rooms: 3)
        scenario.groups[0].rooms = ["room1", "room2"]
        let (seen, broken) = try WorldHouse.play(
            scenario,
            """
            0s user desk all play
            20s user desk all add-room room3
            40s user desk all remove-room room1
            """)
        #expect(broken == [])
        #expect(try #require(seen.at(19)).rooms[2].owner == nil)
        #expect(Self.isInStep(try #require(seen.at(22)).rooms[2]))
        let end = try #require(seen.last)
        #expect(end.rooms[0].owner == nil && end.rooms[0].truth.played.isEmpty)
        #expect(end.rooms.dropFirst().allSatisfy { Self.isInStep($0) && $0.truth.dropouts == 0 })
        #expect(end.senders[0].groups[0].state.rooms.map(\.room) == ["room2", "room3"])
    }

    @Test func aSongMayBePlayedAgainAndAgain() throws {
        var scenario = WorldHouse.scenario(rooms: 1, songs: 1)
        scenario.songs[0].length = 20 * WorldHouse.second
        let (seen, broken) = try WorldHouse.play(scenario, "0s user desk all play")
        #expect(broken == [])
        #expect(try #require(seen.last).rooms[0].truth.dropouts == 0)
    }

    @Test func aSenderThatComesBackGoesOnAlongTheLineOfTheRooms() throws {
        let (seen, broken) = try WorldHouse.play(
            WorldHouse.scenario(rooms: 3),
            """
            0s user desk all play
            25s kill sender desk
            40s restart sender desk
            """)
        #expect(broken == [])
        let timebase = try #require(seen.at(24)).rooms[0].timebase
        #expect(timebase != nil && timebase?.rate == 1)
        let later = seen.filter { $0.at > 42 * WorldHouse.second }
        #expect(
            later.allSatisfy {
                $0.rooms.allSatisfy { $0.timebase == timebase } && $0.senders[0].groups[0].timebase == timebase
            })
    }
}
