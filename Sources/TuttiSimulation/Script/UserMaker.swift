import TuttiCore

/// Makes the commands of people whom a seed decides.
struct UserMaker {
    private let scenario: Scenario
    private let users: RandomUsers
    private var dice: Dice

    init(_ scenario: Scenario, _ users: RandomUsers, seed: UInt64) {
        self.scenario = scenario
        self.users = users
        dice = Dice(seed: seed, purpose: 0x7573_6572)
    }

    /// Commands from the fifth second on, when there is something to command.
    mutating func steps() -> [Step] {
        var steps: [Step] = []
        var now: Int64 = 5_000_000_000
        while true {
            now += max(users.soonest, dice.wait(mean: users.every))
            guard now < scenario.duration, let group = dice.choice(scenario.groups), let command = command(for: group)
            else { return steps }
            steps.append(Step(at: now, .user(sender: group.sender, group: group.name, command)))
        }
    }

    /// A command; places are drawn from what a queue of this size may have, so that some are refused.
    private mutating func command(for group: GroupPlan) -> UserCommand? {
        let places = 0...max(1, group.queue.count)
        guard let song = dice.choice(scenario.songs), let room = dice.choice(scenario.rooms)?.name else { return nil }
        switch dice.integer(in: 0...21) {
        case 0, 1: return .pause
        case 2, 3, 4: return .resume
        case 5: return .next
        case 6: return .previous
        case 7, 8: return .seek(dice.time(0, max(1_000_000, song.length)))
        case 9: return .add(song.name)
        case 10: return .insert(song.name)
        case 11: return .remove(dice.integer(in: places))
        case 12: return .move(from: dice.integer(in: places), to: dice.integer(in: places))
        case 13: return .jump(dice.integer(in: places))
        case 14: return .shuffle(dice.flag())
        case 15: return .repeats(dice.choice([RepeatMode.off, .all, .one]) ?? .off)
        case 16: return .crossfade(Int64(dice.integer(in: 0...12)) * 1_000_000_000)
        case 17, 18: return .volume(room: room, dice.integer(in: 0...100))
        case 19: return .mute(room: room, dice.flag())
        case 20: return .removeRoom(room)
        default: return .addRoom(room)
        }
    }
}
