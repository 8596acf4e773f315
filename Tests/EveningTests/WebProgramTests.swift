import Foundation
import Testing

/// The program that serves HTTP, by itself.
@Suite struct WebProgramTests {
    @Test("it ends in peace when the service that has started it is gone")
    func end() throws {
        let folder = NSTemporaryDirectory() + "web-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.folder + "/tutti-web")
        process.arguments = [
            "--child", "--listen", "127.0.0.1:\(try FreePort.next())", "--socket", folder + "/none.sock",
            "--state-dir", folder,
        ]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardError) = (input, output)
        try process.run()
        // It has begun to watch its input by then.
        Thread.sleep(forTimeInterval: 1)
        #expect(process.isRunning)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
}
