import CLab
import Foundation
import Glibc
import Synchronization

/// Network namespaces by name, as iproute2 keeps them in `/run/netns`.
package enum NetworkNamespace {
    /// Begins the name of every namespace that a lab makes; the lab's id and the host's name follow.
    static let prefix = "tutti-lab-"
    private static let folder = "/run/netns"

    /// Labs of this process so far.
    private static let labs = Atomic<Int>(0)

    /// An id for the next lab of this process, unlike those of all labs on this machine: the process's and a number.
    static func nextLab() -> String { "\(getpid()).\(labs.wrappingAdd(1, ordering: .relaxed).newValue)" }

    /// The name of a host's namespace.
    static func name(host: String, lab: String) -> String { "\(prefix)\(lab)-\(host)" }

    /// Moves the calling thread into a namespace.
    static func enter(_ name: String) throws(LabError) {
        let descriptor = clab_open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .system(call: "open namespace \(name)", errno: errno) }
        defer { close(descriptor) }
        let outcome = clab_enter_network_namespace(descriptor)
        guard outcome == 0 else { throw .system(call: "setns \(name)", errno: -outcome) }
    }

    /// The ids of the processes whose labs still have namespaces though they are gone.
    static func deadOwners() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let owners = names.compactMap { name -> Int32? in
            guard name.hasPrefix(prefix) else { return nil }
            return Int32(name.dropFirst(prefix.count).prefix { $0.isNumber })
        }
        return Set(owners).filter { kill($0, 0) != 0 && errno == ESRCH }.sorted()
    }
}
