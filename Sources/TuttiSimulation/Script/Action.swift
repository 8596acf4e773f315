/// Something that happens to the house: a fault, the end of one, or what a person asks for. An action that finds
/// nothing to do (the end of a fault that is not there, the start of a process that runs) does nothing.
package enum Action: Sendable, Hashable, Codable {
    /// The process is gone at once, as by `kill -9`; what it had on disk stays.
    case kill(Machine)
    /// The process is started again.
    case restart(Machine)
    /// The process does not run (SIGSTOP), but its host does.
    case freeze(Machine)
    /// The process runs again (SIGCONT).
    case thaw(Machine)
    /// The host sleeps: process, card and the raw monotonic clock stand still.
    case suspend(Machine)
    /// The host wakes.
    case wake(Machine)

    /// Nothing passes its link.
    case cut(Machine)
    /// Its link is as the scenario has it: ends `cut` and `impair`.
    case mend(Machine)
    /// These machines reach each other, and all others reach each other, but nothing passes between the two sides.
    case partition([Machine])
    /// Ends `partition`.
    case heal
    /// Its link is worse than the scenario has it. Impairments of different kinds add up until it is mended.
    case impair(Machine, Impairment)
    /// Its host gets another address; connections to the old one are dead.
    case readdress(Machine)

    /// The wall clock of the host jumps by so many nanoseconds.
    case step(Machine, by: Int64)
    /// The host's oscillator runs at so many ppm from now on, in place of the scenario's.
    case drift(Machine, ppm: Double)

    /// The room's card runs dry once.
    case xrun(room: String)
    /// The room's card is gone.
    case unplug(room: String)
    /// The room's card is back.
    case plug(room: String)

    /// Nothing more can be written on the host's disk.
    case diskFull(Machine)
    /// There is room on the disk again.
    case diskFree(Machine)

    /// A person asks the sender for something, for one of its groups.
    case user(sender: String, group: String, UserCommand)
}
