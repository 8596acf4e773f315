import Testing
import TuttiCore
import TuttiMPD

/// The connection: answers, lists, waiting, limits, passwords.
@Suite struct MPDConnectionTests {
    private func client(_ passwords: String = "") -> TestClient {
        let passwords = MPDPasswords(text: passwords)
        return TestClient(
            MPDCommander(FakeHouse(), passwords: passwords), permissions: passwords.withoutPassword)
    }

    @Test("a command is answered by OK or by an ACK with its number, place and name")
    func answers() {
        var client = client()
        #expect(client.ask("ping") == ["OK"])
        #expect(client.ask("nonsense 1") == ["ACK [5@0] {} unknown command \"nonsense\""])
        #expect(client.ask("ping 1") == ["ACK [2@0] {ping} wrong number of arguments for \"ping\""])
        #expect(client.ask("play 7") == ["ACK [2@0] {play} Bad song index"])
        #expect(client.ask("playid 7") == ["ACK [50@0] {playid} No such song"])
        #expect(client.ask("mount a b") == ["ACK [5@0] {} unknown command \"mount\""])
    }

    @Test("a list is carried out at its end, up to the first command that fails")
    func lists() {
        var client = client()
        #expect(client.ask("command_list_begin\nping\nvolume") == [])
        #expect(client.ask("command_list_end") == ["ACK [2@1] {volume} wrong number of arguments for \"volume\""])
        #expect(client.ask("command_list_ok_begin\nping\nping\ncommand_list_end") == ["list_OK", "list_OK", "OK"])
        #expect(
            client.ask("command_list_ok_begin\nping\nidle\ncommand_list_end")
                == ["list_OK", "ACK [5@1] {} \"idle\" is not possible in a command list"])
        #expect(client.ask("command_list_begin\ncommand_list_end") == ["OK"])
    }

    @Test("several commands in one packet are answered in their order")
    func pipelining() {
        var client = client()
        #expect(client.ask("ping\nnonsense\nping").map { $0.hasPrefix("OK") } == [true, false, true])
    }

    @Test("idle ends with what was waited for, and keeps the rest for later")
    func idle() {
        var client = client()
        #expect(client.ask("idle mixer player") == [])
        #expect(client.hear([MPDChange(.options)]) == [])
        #expect(client.hear([MPDChange(.mixer)]) == ["changed: mixer", "OK"])
        #expect(client.ask("idle") == ["changed: options", "OK"])
        #expect(client.ask("idle") == [])
        #expect(client.ask("noidle") == ["OK"])
        #expect(client.ask("noidle") == [])
        #expect(client.ask("idle nothing") == ["ACK [2@0] {idle} Unrecognized idle event: nothing"])
        #expect(client.ask("ping") == ["OK"])
    }

    @Test("idle hears of its own partition, of everybody and of itself alone")
    func scopes() {
        var client = client()
        client.ask("idle")
        #expect(client.hear([MPDChange(.player, .partition("elsewhere")), MPDChange(.message, .client(9))]) == [])
        #expect(client.hear([MPDChange(.player, .partition("default"))]) == ["changed: player", "OK"])
        client.ask("idle")
        #expect(client.hear([MPDChange(.message, .client(1))]) == ["changed: message", "OK"])
    }

    @Test("a command while it waits ends the connection, as do HTTP and endless lines")
    func ends() {
        for text in ["idle\nstatus\n", "GET / HTTP/1.1\r\n", "close\n", "\n", String(repeating: "a", count: 17_000)] {
            var client = client()
            _ = client.send(Array(text.utf8))
            #expect(client.isClosed, "\(text.prefix(20))")
        }
    }

    @Test("a list is bounded, whatever its lines are")
    func listBounds() {
        var client = client()
        client.ask("command_list_begin")
        let empty = [UInt8](repeating: 0x0A, count: 60_000)
        for _ in 0..<3 { _ = client.send(empty) }
        #expect(client.isClosed)
    }

    @Test("without the password, nothing but the password is taken")
    func passwords() {
        var client = client("secret\nguest@read\nmail@house\n")
        #expect(client.ask("status") == ["ACK [4@0] {status} you don't have permission for \"status\""])
        #expect(client.ask("idle") == ["ACK [4@0] {idle} you don't have permission for \"idle\""])
        #expect(client.ask("password no") == ["ACK [3@0] {password} incorrect password"])
        #expect(client.ask("password guest") == ["OK"])
        #expect(client.ask("status").last == "OK")
        #expect(client.ask("clear") == ["ACK [4@0] {clear} you don't have permission for \"clear\""])
        #expect(client.ask("notcommands").contains("command: clear"))
        #expect(client.ask("password mail@house") == ["OK"])
        #expect(client.ask("clear") == ["OK"])
        #expect(client.ask("commands").contains("command: clear"))
        for _ in 0..<3 { client.ask("password guess") }
        #expect(client.isClosed)
    }

    @Test("noise neither traps nor fills the memory")
    func noise() {
        var generator = SplitMix64(seed: 20)
        let commander = MPDCommander(FakeHouse())
        let words = Array(MPDWordsForNoise.all)
        var sent = 0
        while sent < 1_000_000 {
            var client = TestClient(commander)
            for _ in 0..<40 where !client.isClosed {
                var bytes: [UInt8] = []
                if UInt8.random(in: 0..<4, using: &generator) > 0 {
                    bytes += words.randomElement(using: &generator) ?? []
                }
                bytes += (0..<Int.random(in: 0..<700, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                bytes.append(0x0A)
                sent += bytes.count
                _ = client.send(bytes)
            }
        }
        #expect(
            commander.run(MPDJob(.one, [Array("ping".utf8)], of: MPDClient(number: 1, permissions: .all))).output
                == Array("OK\n".utf8))
    }

    @Test("every command with odd arguments gives an answer")
    func oddArguments() {
        let odd = [
            "", "-1", "0", "1:2", "2:1", "-9223372036854775808", "99999999999999999999", "nan", "inf", "1e308",
            "(", "((", "(artist == 'a')", "(!(a))", "+1", "-1:", ":", "/music/a", "0x10", "\u{0}", "ä",
        ]
        let house = FakeHouse()
        var client = TestClient(MPDCommander(house))
        client.ask("add /music/a")
        for command in MPDWordsForNoise.names where command != "password" {
            for first in odd {
                let lines = client.ask("\(command) \"\(first)\"")
                #expect(lines.last?.hasPrefix("OK") == true || lines.last?.hasPrefix("ACK") == true, "\(command)")
                for second in odd {
                    let lines = client.ask("\(command) \"\(first)\" \"\(second)\"")
                    #expect(!lines.isEmpty && !client.isClosed, "\(command) \(first) \(second)")
                }
            }
        }
    }
}

/// Beginnings of lines that get further than random bytes.
enum MPDWordsForNoise {
    static let names = [
        "status", "play", "playid", "pause", "seek", "seekid", "seekcur", "setvol", "volume", "add", "addid", "delete",
        "deleteid", "move", "moveid", "swap", "shuffle", "playlistinfo", "playlistid", "plchanges", "plchangesposid",
        "playlistfind", "playlistsearch", "find", "search", "list", "count", "lsinfo", "listall", "albumart",
        "readpicture", "outputs", "enableoutput", "outputset", "partition", "newpartition", "delpartition", "load",
        "tagtypes", "subscribe", "sendmessage", "readmessages", "binarylimit", "password", "update", "crossfade",
    ]
    static let all =
        names.map { Array("\($0) ".utf8) }
        + ["command_list_begin\n", "command_list_ok_begin\n", "command_list_end\n", "noidle\n"].map { Array($0.utf8) }
}
