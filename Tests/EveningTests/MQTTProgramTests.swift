import Foundation
import Testing

/// The program that speaks MQTT, by itself, without a broker and without a service.
@Suite struct MQTTProgramTests {
    private func begin(_ arguments: [String]) throws -> (process: Process, input: Pipe, errors: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.folder + "/tutti-mqtt")
        process.arguments =
            ["--child", "--host", "127.0.0.1", "--node", "test", "--socket", "/nowhere/control.sock"] + arguments
        let (input, errors) = (Pipe(), Pipe())
        (process.standardInput, process.standardError) = (input, errors)
        try process.run()
        return (process, input, errors)
    }

    @Test("it ends in peace when the service that has started it is gone, and has said once what is missing")
    func end() throws {
        let (process, input, errors) = try begin(["--port", "\(try FreePort.next())"])
        // It has tried twice by then.
        Thread.sleep(forTimeInterval: 4)
        #expect(process.isRunning)
        try input.fileHandleForWriting.close()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(text)")
        #expect(text.split(separator: "\n").filter { $0.contains("no connection to the broker") }.count == 1, "\(text)")
        #expect(text.contains("Connection refused"), "\(text)")
    }

    @Test("a file that cannot be read is told in one line")
    func certificate() throws {
        let (process, _, errors) = try begin(["--tls", "on", "--ca-file", "/none.pem"])
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(text.contains("cannot read /none.pem") && text.split(separator: "\n").count == 1, "\(text)")
    }
}
