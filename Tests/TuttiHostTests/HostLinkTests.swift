import Testing
import TuttiHost

@Suite struct HostLinkTests {
    @Test(
        "the interface of the default route is the one that the kernel would use",
        arguments: [
            ([], nil),
            (["eth0 0002A8C0 00000000 0001 0 0 0 00FFFFFF 0 0 0"], nil),
            (["eth0 00000000 0102A8C0 0003 0 0 100 00000000 0 0 0"], "eth0"),
            (
                [
                    "wlan0 00000000 0102A8C0 0003 0 0 600 00000000 0 0 0",
                    "eth0 00000000 0102A8C0 0003 0 0 100 00000000 0 0 0",
                ], "eth0"
            ),
            (["eth0 00000000", "", "wlan0 00000000 0102A8C0 0003 0 0 nonsense 00000000"], "wlan0"),
        ] as [([String], String?)])
    func defaultRoute(rows: [String], expected: String?) {
        let head = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT"
        #expect(HostLink.interface(ofDefaultRoute: ([head] + rows).joined(separator: "\n")) == expected)
    }
}
