import Foundation
import Testing
import TuttiLab

extension LabTests {
    /// Rooms by name, through an Avahi daemon of the tests' own, in a namespace of its own.
    @Suite("Discovery", .enabled(if: LabSite.discovery.isMet, LabSite.discovery.comment))
    struct DiscoveryTests {
        @Test("rooms are found and played by name; a name that nobody has is said")
        func byName() throws {
            let house = try Household("discovery")
            _ = try house.writeSong("song", seconds: 2)
            try Self.busConfiguration(house.path("bus")).write(
                toFile: house.path("bus.conf"), atomically: true, encoding: .utf8)
            try Self.script(house).write(toFile: house.path("run.sh"), atomically: true, encoding: .utf8)
            var environment = house.environment()
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(house.path("bus"))"
            let output = house.path("run.txt")
            // With a /proc of its own: what they find of their threads there must be theirs.
            let apart = ["unshare", "--mount", "--mount-proc", "--net", "--pid", "--fork", "--kill-child"]
            let process = try ChildProcess(
                apart + ["sh", house.path("run.sh")], environment: environment, output: output, errors: output)
            let outcome = house.finish((process, output), within: 40)
            #expect(outcome.code == 0, outcome.comment)
            #expect(outcome.text.contains("found kitchen") && outcome.text.contains("found bath"), outcome.comment)
            #expect(outcome.text.contains("played 0"), outcome.comment)
            #expect(outcome.text.contains("missing 3"), outcome.comment)
            #expect(outcome.text.contains("tutti: attic: no such speaker"), outcome.comment)
        }

        private static func script(_ house: Household) -> String {
            let programs = LabSite.programs
            return """
                cd \(house.folder)
                ip link set lo up
                ip link add tutti0 type veth peer name tutti1
                ip address add 10.9.8.7/24 dev tutti0
                ip link set tutti0 up && ip link set tutti1 up
                mkdir -p /run/avahi-daemon && mount -t tmpfs tmpfs /run/avahi-daemon
                dbus-daemon --config-file=bus.conf --nofork --nopidfile &
                sleep 1
                avahi-daemon --no-drop-root --no-rlimits --no-chroot &
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
