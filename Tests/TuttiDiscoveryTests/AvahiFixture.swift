import Foundation
import Glibc

/// A message bus and an Avahi daemon of the tests' own: the bus in a temporary folder, the daemon in a network
/// namespace with a loopback and one more interface, so that nothing of the host's is touched.
final class AvahiFixture {
    /// The address that the daemon's other interface has.
    static let address = "10.9.8.7"

    private static let folder: String = {
        let path = "/tmp/tutti-avahi-\(getpid())"
        // libdbus reads this once in a process's life.
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(path)/bus", 1)
        return path
    }()

    /// Why the tests cannot run here, or nil.
    static let obstacle: String? = {
        if getuid() != 0 { return "not root" }
        for tool in ["dbus-daemon", "avahi-daemon", "unshare", "ip"] where path(of: tool) == nil {
            return "no \(tool)"
        }
        let probe = path(of: "unshare").flatMap { ChildProcess($0, ["--mount", "--net", "true"]) }
        return probe?.succeeds() == true ? nil : "network namespaces are not permitted"
    }()

    private var bus: ChildProcess?
    private var daemon: ChildProcess?

    /// The fixture with nothing running.
    init() throws {
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        try write(
            """
            <busconfig><type>system</type><listen>unix:path=\(Self.folder)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
            <allow user="*"/></policy></busconfig>
            """, to: "bus.conf")
        try write(
            """
            [server]
            host-name=testhost
            [publish]
            publish-workstation=no
            publish-hinfo=no
            [wide-area]
            enable-wide-area=no
            """, to: "avahi.conf")
    }

    deinit {
        stopDaemon()
        stopBus()
        try? FileManager.default.removeItem(atPath: Self.folder)
    }

    func startBus() throws {
        unlink(Self.folder + "/bus")
        bus = try run("dbus-daemon", ["--config-file=\(Self.folder)/bus.conf", "--nofork", "--nopidfile"])
    }

    func startDaemon() throws {
        let script = """
            mkdir -p /run/avahi-daemon && mount -t tmpfs tmpfs /run/avahi-daemon && ip link set lo up &&
            ip link add tutti0 type veth peer name tutti1 && ip address add \(Self.address)/24 dev tutti0 &&
            ip link set tutti0 up && ip link set tutti1 up &&
            exec avahi-daemon --no-drop-root --no-rlimits --no-chroot --file \(Self.folder)/avahi.conf
            """
        daemon = try run("unshare", ["--mount", "--net", "sh", "-c", script])
    }

    func stopDaemon() {
        daemon?.end()
        daemon = nil
    }

    func stopBus() {
        bus?.end()
        bus = nil
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: Self.folder + "/" + name, atomically: true, encoding: .utf8)
    }

    private func run(_ tool: String, _ arguments: [String]) throws -> ChildProcess {
        guard let path = Self.path(of: tool), let process = ChildProcess(path, arguments) else {
            throw CocoaError(.executableNotLoadable)
        }
        return process
    }

    private static func path(of tool: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"].map { $0 + tool }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
