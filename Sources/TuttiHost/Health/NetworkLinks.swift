/// The network interfaces of this host that carry music or may.
struct NetworkLinks {
    /// Those that are up.
    let names: [String]
    /// Those of them that are wireless.
    let wireless: [String]

    init(tree: SystemTree) {
        let folder = "/sys/class/net/"
        let up = tree.names(in: folder).filter { name in
            // Of type 1: Ethernet, or what looks like it.
            tree.number(folder + name + "/type") == 1 && tree.text(folder + name + "/operstate") == "up"
        }
        // Bridges and the like stand on a device; only a container has none.
        let devices = up.filter { tree.exists(folder + $0 + "/device") }
        names = devices.isEmpty ? up : devices
        wireless = names.filter { tree.exists(folder + $0 + "/wireless") || tree.exists(folder + $0 + "/phy80211") }
    }
}
