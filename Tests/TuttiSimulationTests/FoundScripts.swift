/// Scripts that seeds were shrunk to, each of which broke something once, by what was wrong.
enum FoundScripts {
    static let all = clocks + connections + playback

    /// What breaks again. The leader's oscillator jumps by 41 ppm, which no real one does, and before a room behind
    /// Wi-Fi has learnt that, the leader's link becomes ten times as slow: the room is 0.3 – 1.3 ms off for some ten
    /// seconds, and believes a tenth of that.
    static let waiting: Set<String> = [
        "a room that was not sure of its clock, and is now, has still to get there"
    ]
}
