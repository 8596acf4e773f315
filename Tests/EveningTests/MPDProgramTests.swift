import Foundation
import Glibc
import Testing

/// The program that speaks MPD's protocol, by itself, without a service.
@Suite struct MPDProgramTests {
    private func begin(_ arguments: [String]) throws -> (process: Process, input: Pipe, errors: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.folder + "/tutti-mpd")
        process.arguments = ["--child", "--socket", "/nowhere/control.sock"] + arguments
        let (input, errors) = (Pipe(), Pipe())
        (process.standardInput, process.standardError) = (input, errors)
        try process.run()
        return (process, input, errors)
    }

    /// What comes from a port until the other side ends, after these bytes were sent there.
    private func answer(to text: String, port: UInt16) -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return "" }
        _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }

    @Test("without a service it answers that there is none, and it ends in peace when its parent is gone")
    func alone() throws {
        let port = try FreePort.next()
        let (process, input, errors) = try begin(["--listen", "127.0.0.1:\(port)"])
        var text = ""
        let end = Date().addingTimeInterval(20)
        while text.isEmpty, Date() < end {
            text = answer(to: "ping\nstatus\nclose\n", port: port)
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(text.hasPrefix("OK MPD 0.23"), "\(text)")
        #expect(text.contains("\nOK\nACK [52@0] {status} the service does not answer"), "\(text)")
        #expect(answer(to: "GET / HTTP/1.1\r\n\r\n", port: port).split(separator: "\n").count == 1)
        try input.fileHandleForWriting.close()
        let log = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(log)")
        #expect(log.split(separator: "\n").filter { $0.contains("the service does not answer") }.count == 1, "\(log)")
    }

    @Test("on an address that others can reach, it asks for a file of passwords")
    func openAddress() throws {
        let (process, _, errors) = try begin(["--listen", "0.0.0.0:\(try FreePort.next())"])
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus != 0 && text.contains("--password-file"), "\(text)")
    }

    @Test("a file of passwords that is not there is told in one line")
    func passwords() throws {
        let (process, _, errors) = try begin([
            "--listen", "127.0.0.1:\(try FreePort.next())", "--password-file", "/none",
        ])
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(text.contains("/none") && text.split(separator: "\n").count == 1, "\(text)")
    }
}
