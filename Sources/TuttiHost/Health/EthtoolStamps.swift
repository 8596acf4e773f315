import Glibc

/// What a network driver says about stamps.
enum EthtoolStamps {
    /// `SIOCETHTOOL` of `linux/sockios.h`.
    private static let request: UInt = 0x8946
    /// `ETHTOOL_GET_TS_INFO` of `linux/ethtool.h`.
    private static let command: UInt32 = 0x41
    /// `sizeof(struct ethtool_ts_info)`: the command, the capabilities, and nine words that are of no interest here.
    private static let answerWords = 11
    private static let nameLength = Int(IFNAMSIZ)
    /// `sizeof(struct ifreq)`; the pointer to the question is behind the name.
    private static let requestLength = 40

    /// `SOF_TIMESTAMPING_*` that the driver of `interface` can do; nil when it does not say.
    static func read(_ interface: String) -> UInt32? {
        let name = Array(interface.utf8)
        guard name.count < nameLength else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var answer = [UInt32](repeating: 0, count: answerWords)
        answer[0] = command
        var question = [UInt8](repeating: 0, count: requestLength)
        question.replaceSubrange(0..<name.count, with: name)
        let result = answer.withUnsafeMutableBytes { answer in
            question.withUnsafeMutableBytes { question -> Int32 in
                guard let start = question.baseAddress else { return -1 }
                question.storeBytes(
                    of: UInt(bitPattern: answer.baseAddress), toByteOffset: nameLength, as: UInt.self)
                return ioctl(descriptor, request, start)
            }
        }
        return result == 0 ? answer[1] : nil
    }
}
