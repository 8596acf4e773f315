extension Scenario {
    /// What people do wrong of an evening while music plays in the living room. Each ends with the other rooms silent.
    static let wrongThings: [Scenario] = playing + rooms + groups + levels + later + queues

    private static let playing = [
        Scenario("a room that is not there", refused(3, "play", "{gong.wav}", "--room", "attic", says: "attic")),
        Scenario(
            "one room that is there, and one that is not",
            refused(3, "play", "{gong.wav}", "--room", "living room", "--room", "attic", says: "attic")),
        Scenario(
            "the same, handed over",
            refused(3, "play", "{gong.wav}", "--room", "living room", "--room", "attic", "--detach", says: "attic")),
        Scenario(
            "a room at an address where nobody listens",
            refused(
                3, "play", "{gong.wav}", "--room", "living room", "--room", "shed@127.0.0.1:9", says: "127.0.0.1:9")),
        Scenario(
            "an address under another room's name",
            refused(
                3, "play", "{gong.wav}", "--group", "downstairs", "--room", "{shed=kitchen}",
                says: "is called 'kitchen'")),
        Scenario(
            "a slip of the pen", refused(3, "play", "{gong.wav}", "--room", "kichen", says: "did you mean 'kitchen'?")),
        Scenario("a text", refused(3, "play", "{readme.txt}", "--group", "downstairs", says: "readme.txt")),
        Scenario(
            "a text, handed over",
            refused(3, "play", "{readme.txt}", "--group", "downstairs", "--detach", says: "readme.txt")),
        Scenario(
            "a device that gives nothing", refused(3, "play", "/dev/null", "--group", "downstairs", says: "/dev/null"),
            refused(3, "play", "/dev/null", "--room", "living room", "--detach", says: "/dev/null")),
        Scenario("an empty file", refused(3, "play", "{empty.wav}", "--room", "living room", says: "empty")),
        Scenario(
            "a file that is not there", refused(3, "play", "{none.wav}", "--room", "living room", says: "none.wav")),
        Scenario(
            "a list of files that are gone", refused(3, "play", "{dead.m3u}", "--group", "downstairs", says: "none")),
        Scenario("an empty folder", refused(3, "play", "{folder}", "--group", "downstairs", says: "nothing playable")),
        Scenario(
            "a station that does not resolve",
            refused(
                3, "play", "http://radio.invalid/stream", "--room", "living room", "--detach", says: "radio.invalid")),
        Scenario(
            "a station that does not answer",
            refused(3, "play", "http://127.0.0.1:9/stream", "--room", "living room", "--detach", says: "127.0.0.1")),
        Scenario(
            "a group that is not there", refused(3, "play", "{gong.wav}", "--group", "upstair", says: "did you mean")),
        Scenario(
            "a codec that is none",
            refused(2, "play", "{gong.wav}", "--group", "downstairs", "--codec", "mp4", says: "codec")),
        Scenario(
            "standard input for the service", refused(2, "play", "-", "--group", "downstairs", says: "--standalone")),
        Scenario(
            "a place that is none",
            refused(2, "play", "{song.wav}", "--group", "downstairs", "--start-at", "soon", says: "soon")),
        Scenario(
            "speech in a room that is not there",
            refused(3, "say", "{gong.wav}", "--room", "living room", "--room", "attic", says: "attic")),
        Scenario(
            "a calibration with a room that is not there",
            refused(3, "calibrate", "kitchen", "attic", "--play-only", says: "attic")),
        Scenario(
            "a calibration where music plays",
            refused(4, "calibrate", "kitchen", "{\(Evening.music)}", "--play-only", says: "stop the music there first"),
            refused(4, "calibrate", "{\(Evening.music)}", "kitchen", "--by-ear", says: "stop the music there first")),
        Scenario(
            "a room's response that cannot be measured",
            refused(3, "calibrate", "--response", "attic", "--play-only", says: "attic"),
            refused(
                4, "calibrate", "--response", "{\(Evening.music)}", "--play-only", says: "stop the music there first"),
            refused(3, "calibrate", "--response", "kitchen", "--microphone", "none", says: "arecord"),
            refused(3, "calibrate", "--response", "kitchen", "--recording", "{none.wav}", says: "none.wav"),
            refused(1, "calibrate", "--response", "kitchen", "--recording", "{song.wav}", says: "sweep"),
            refused(3, "calibrate", "--response", "kitchen", "--target", "{none.txt}", says: "flat, room or a file"),
            refused(2, "calibrate", "--response", "kitchen", "bath", says: "one room"),
            refused(2, "calibrate", "kitchen", "bath", "--upto", "300", says: "--response"),
            refused(1, "calibrate", "--response", "kitchen", "-o", "/nowhere/a.yaml", says: "/nowhere/a.yaml")),
        Scenario(
            "a measurement that cannot be",
            refused(3, "measure", "{kitchen}", "attic", says: "attic"),
            refused(5, "measure", "{kitchen}", "{\(Evening.music)}", says: "nothing plays in kitchen"),
            refused(
                4, "measure", "{\(Evening.music)}", "kitchen", "--signal", "noise", says: "stop the music there first"),
            refused(
                4, "measure", "kitchen", "{\(Evening.music)}", "--signal", "chirps", "--play-only",
                says: "stop the music there first"),
            refused(3, "measure", "kitchen", "bath", "--signal", "noise", "--input", "none", says: "--input"),
            refused(3, "measure", "kitchen", "bath", "--signal", "chirps", "--input", "none", says: "arecord"),
            refused(2, "measure", "kitchen", says: "name two rooms"),
            refused(2, "measure", "kitchen", "KITCHEN", says: "against itself"),
            refused(2, "measure", "kitchen", "bath", "--for", "1s", says: "5s to 15m"),
            refused(2, "measure", "kitchen", "bath", "--signal", "loud", says: "loud"),
            refused(1, "measure", "kitchen", "bath", "--picture", "/nowhere/a.svg", says: "/nowhere/a.svg")),
        Scenario(
            "a recording that does not tell how far rooms are apart",
            refused(3, "measure", "kitchen", "bath", "--recording", "{none.wav}", says: "none.wav"),
            refused(3, "measure", "kitchen", "bath", "--recording", "{readme.txt}", says: "readme.txt"),
            refused(1, "measure", "kitchen", "bath", "--recording", "{song.wav}", says: "is mono"),
            refused(2, "measure", "kitchen", "bath", "--recording", "{song.wav}", "--input", "x", says: "use only one"),
            refused(
                1, "measure", "kitchen", "bath", "--recording", "{gong.wav}", "--signal", "chirps",
                says: "20000 Hz or more")),
        Scenario(
            "speech that is a text", refused(3, "say", "{readme.txt}", "--room", "living room", says: "readme.txt")),
    ]

    private static let rooms = [
        Scenario(
            "music in another room, stopped and resumed",
            done("play", "{song.wav}", "--room", "kitchen", "--detach"), done("stop", "--group", "kitchen"),
            done("play", "--group", "KITCHEN"), done("stop", "--group", "Kitchen")),
        Scenario(
            "a room whose accents are left out",
            done("play", "{song.wav}", "--room", "buro", "--detach"), done("pause", "--group", "BÜRO"),
            done("stop", "--group", "büro")),
        Scenario(
            "a pause that does not say which",
            done("play", "{song.wav}", "--room", "kitchen", "--detach"), refused(2, "pause", says: "--all"),
            refused(2, "stop", says: "kitchen, living room"), done("stop", "--group", "kitchen")),
        Scenario("a group that does not play", refused(3, "pause", "--group", "bath", says: "living room")),
    ]

    private static let groups = [
        Scenario(
            "a group of rooms of which one is unknown",
            refused(3, "group", "set", "upstairs", "bath", "atic", says: "atic")),
        Scenario(
            "a room that is unknown, added to the group that plays",
            refused(3, "group", "add", "downstairs", "garage", says: "garage")),
        Scenario(
            "a room that is not in the group",
            refused(1, "group", "remove", "downstairs", "bath", says: "not in the group")),
        Scenario("a word that `group` does not have", refused(2, "group", "sett", "upstairs", "bath", says: "sett")),
        Scenario("a group that is not there, deleted", refused(3, "group", "delete", "cellar", says: "cellar")),
        Scenario(
            "rooms and groups in other spellings",
            done("group", "add", "Upstairs", "BATH"), done("group", "list", says: "upstairs: bedroom bath"),
            done("group", says: "upstairs: bedroom bath"), done("group", "--json", says: "\"upstairs\":["),
            done("group", "list", "--json", says: "\"upstairs\":["),
            done("group", "remove", "UPSTAIRS", "Bath"), done("group", "add", "upstairs", "bath")),
    ]

    private static let levels = [
        Scenario("a room that is not there, louder", refused(3, "volume", "attic", "40", says: "attic")),
        Scenario("too loud", refused(2, "volume", "kitchen", "140", says: "0-100")),
        Scenario(
            "an idle room, muted and set", done("mute", "bath", says: "bath muted"),
            done("volume", "bath", "30", says: "bath 30"),
            done("volume", "bath", says: "bath 30"), done("mute", says: "bath 30")),
        Scenario("a mute of nobody", refused(3, "mute", "atic", "on", says: "atic")),
        Scenario(
            "rooms at the ends of the scale",
            done("play", "{song.wav}", "--group", "upstairs", "--detach"),
            done("volume", "bath", "5"), done("volume", "bedroom", "40"),
            done("volume", "--group", "upstairs", "-10", says: "bath 0"),
            done("volume", "--group", "upstairs", "+10", says: "bath 5"),
            done("volume", "--group", "upstairs", says: "bedroom 40"), done("stop", "--group", "upstairs")),
    ]

    private static let later = [
        Scenario(
            "an alarm in a room that is not there",
            refused(3, "at", "07:00", "play", "{gong.wav}", "--room", "bedrom", says: "did you mean")),
        Scenario(
            "an alarm in a group that is not there",
            refused(3, "at", "07:00", "play", "{gong.wav}", "--group", "attic", says: "attic")),
        Scenario(
            "an alarm with a text",
            refused(3, "at", "07:00", "play", "{readme.txt}", "--room", "bedroom", says: "readme.txt")),
        Scenario(
            "an alarm at no time",
            refused(2, "at", "25:00", "play", "{gong.wav}", "--room", "bedroom", says: "no time before")),
        Scenario(
            "an alarm that has passed",
            refused(2, "at", "1999-01-01 07:00", "play", "{gong.wav}", "--room", "bedroom", says: "passed")),
        Scenario(
            "an alarm whose group is deleted",
            done("group", "set", "guests", "bedroom"), done("at", "07:00", "play", "{gong.wav}", "--group", "guests"),
            done("group", "delete", "guests", says: "cancelled"), done("at", says: "nothing is scheduled")),
        Scenario("an alarm that is not there, cancelled", refused(3, "at", "--cancel", "77", says: "77")),
        Scenario("sleep of no length", refused(2, "sleep", "tonight", "--group", "living room", says: "tonight")),
    ]

    private static let queues = [
        Scenario("an entry that is not there", refused(3, "remove", "9", "--group", "living room", says: "9")),
        Scenario("a jump past the end", refused(3, "jump", "9", "--group", "living room", says: "9")),
        Scenario(
            "a file that is not there, added",
            refused(3, "add", "{none.wav}", "--group", "living room", says: "none.wav")),
        Scenario("a crossfade of a minute", refused(2, "crossfade", "60", "--group", "living room", says: "60")),
        Scenario("a rate that is none", refused(2, "rate", "9", "--group", "living room", says: "0.5 to 2")),
        Scenario(
            "tracks for later",
            done("add", "{song.wav}", "{gong.wav}", "--group", "upstairs"),
            done("queue", "--group", "upstairs", says: "gong.wav"),
            done("play", "--group", "upstairs"), done("stop", "--group", "upstairs")),
        Scenario(
            "a resume where nothing was", refused(5, "play", "--group", "study", says: "study")),
    ]
}
