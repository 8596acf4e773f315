import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// Rooms by name, through an Avahi daemon of the tests' own, in a namespace of its own.
    @Suite("Discovery", .serialized, .enabled(if: LabSite.discovery.isMet, LabSite.discovery.comment))
    struct DiscoveryTests {
        @Test("rooms are found and played by name; a name that nobody has is said")
        func byName() throws {
            let house = try Household("discovery")
            _ = try house.writeSong("song", seconds: 2)
            let outcome = try run(house, Self.script(house))
            #expect(outcome.code == 0, outcome.comment)
            #expect(outcome.text.contains("found kitchen") && outcome.text.contains("found bath"), outcome.comment)
            #expect(outcome.text.contains("played 0"), outcome.comment)
            #expect(outcome.text.contains("missing 3"), outcome.comment)
            #expect(outcome.text.contains("tutti: attic: no such speaker"), outcome.comment)
        }

        @Test(
            "rooms that see each other share a clock before anybody plays; one that is started again knows it at once")
        func sharedClock() throws {
            let house = try Household("shared-clock")
            let outcome = try run(house, Self.clockScript(house))
            let lines = outcome.text.split(separator: "\n")
            #expect(outcome.code == 0, outcome.comment)
            #expect(lines.count { $0.hasPrefix("leads ") } == 1, outcome.comment)
            #expect(lines.count { $0.hasPrefix("follows ") } == 2, outcome.comment)
            #expect(lines.count { $0.contains("keeping the group clock") } == 1, outcome.comment)
        }

        @Test("a room that hides its name is found by its household and by nobody else; a copied key is noticed")
        func hiddenName() throws {
            let house = try Household("hidden-name")
            _ = try house.writeSong("song", seconds: 2)
            let outcome = try run(house, Self.hiddenScript(house))
            #expect(outcome.code == 0, outcome.comment)
            #expect(outcome.text.contains("played 0"), outcome.comment)
            let lines = outcome.text.split(separator: "\n").map(String.init)
            let ours = lines.filter { $0.hasPrefix("ours ") }
            let theirs = lines.filter { $0.hasPrefix("theirs ") }
            #expect(ours.contains { $0.hasPrefix("ours kitchen ") && $0.hasSuffix("this household") }, outcome.comment)
            #expect(ours.contains { $0.contains("key ") && $0.contains("claimed by ") }, outcome.comment)
            #expect(
                theirs.contains { $0.hasPrefix("theirs Tutti ") && $0.hasSuffix("another household") }, outcome.comment)
            #expect(!theirs.contains { $0.contains("kitchen") }, outcome.comment)
            #expect(lines.contains { $0.hasPrefix("copied tutti: warning: ") && $0.contains("the same key") })
            #expect(lines.contains { $0.hasPrefix("copied warning ") && $0.contains("the same key") }, outcome.comment)
            #expect(lines.contains { $0.hasPrefix("log ") && $0.contains("has this one's key") }, outcome.comment)
        }

        /// A room without a name on the network, as its household and as another one sees it; then a copy of it.
        private static func hiddenScript(_ house: Household) -> String {
            let (speaker, tutti) = (LabSite.programs.speaker, LabSite.programs.tutti)
            return """
                \(network(house))
                speak() { exec \(speaker) --name kitchen --hide-name --device null --port $1 --state-dir $2 2>>$2.log; }
                speak 0 state-of-one &
                sleep 2
                \(tutti) play song.wav --room kitchen; echo played $?
                \(tutti) rooms --trust | sed 's/^/ours /'
                XDG_STATE_HOME=\(house.path("others")) \(tutti) rooms --trust | sed 's/^/theirs /'
                cp -r state-of-one state-of-copy
                speak 0 state-of-copy &
                sleep 3
                \(tutti) rooms 2>&1 >/dev/null | sed 's/^/copied /'
                \(tutti) doctor | sed 's/^/copied /'
                sed 's/^/log /' state-of-one.log
                exit 0
                """
        }

        private func run(_ house: Household, _ script: String) throws -> Household.Outcome {
            try Self.busConfiguration(house.path("bus")).write(
                toFile: house.path("bus.conf"), atomically: true, encoding: .utf8)
            try script.write(toFile: house.path("run.sh"), atomically: true, encoding: .utf8)
            var environment = house.environment()
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(house.path("bus"))"
            let output = house.path("run.txt")
            // With a /proc of its own: what they find of their threads there must be theirs.
            let apart = ["unshare", "--mount", "--mount-proc", "--net", "--pid", "--fork", "--kill-child"]
            let process = try ChildProcess(
                apart + ["sh", house.path("run.sh")], environment: environment, output: output, errors: output)
            return house.finish((process, output), within: 40)
        }

        /// Three rooms; then one of them ends, and is started again.
        private static func clockScript(_ house: Household) -> String {
            let speaker = LabSite.programs.speaker
            return """
                \(network(house))
                speak() { exec \(speaker) --name $1 --device null --port 0 --state-dir $1-state 2>>$1.log; }
                speak kitchen & speak hall &
                speak bath & bath=$!
                for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
                    sleep 1
                    [ "$(cat *.log | grep -c 'ing the group clock')" = 3 ] && break
                done
                cat *.log | sed -n 's/.*leading the group clock.*/leads it/p; s/.*following the group clock.*/follows it/p'
                sleep 2
                kill $bath; wait $bath
                speak bath & bath=$!
                sleep 1
                cat *.log
                exit 0
                """
        }

        /// A network of its own, with a daemon.
        private static func network(_ house: Household) -> String {
            """
            cd \(house.folder)
            ip link set lo up
            ip link add tutti0 type veth peer name tutti1
            ip address add 10.9.8.7/24 dev tutti0
            ip link set tutti0 up && ip link set tutti1 up
            mkdir -p /run/avahi-daemon && mount -t tmpfs tmpfs /run/avahi-daemon
            dbus-daemon --config-file=bus.conf --nofork --nopidfile &
            sleep 1
            avahi-daemon --no-drop-root --no-rlimits --no-chroot &
            """
        }

        private static func script(_ house: Household) -> String {
            let programs = LabSite.programs
            return """
                \(network(house))
                for room in kitchen bath; do
                    \(programs.speaker) --name $room --device null --port 0 --state-dir $room-state &
                done
                for attempt in 1 2 3 4 5 6; do
                    \(programs.tutti) rooms > rooms.txt
                    [ "$(grep -c 10.9.8.7 rooms.txt)" -ge 2 ] && break
                    sleep 1
                done
                sed 's/^/found /' rooms.txt
                \(programs.tutti) play song.flac --room kitchen --room bath --standalone; echo played $?
                \(programs.tutti) play song.flac --room kitchen --room attic --standalone; echo missing $?
                exit 0
                """
        }

        private static func busConfiguration(_ socket: String) -> String {
            """
            <busconfig><type>system</type><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
            <allow user="*"/></policy></busconfig>
            """
        }
    }
}
