import Glibc
import Testing
import TuttiHost

@Suite("What other threads leave for a loop") struct MailboxTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    @Test("it wakes the loop once, and is empty after it was taken")
    func taking() throws {
        let mailbox = try Mailbox<[Int]>([])
        #expect(!isReadable(mailbox.descriptor) && mailbox.take().isEmpty)
        mailbox.put { $0.append(1) }
        mailbox.put { $0.append(2) }
        #expect(isReadable(mailbox.descriptor))
        #expect(mailbox.take() == [1, 2])
        #expect(!isReadable(mailbox.descriptor) && mailbox.take().isEmpty)
        mailbox.bell.ring()
        #expect(isReadable(mailbox.descriptor) && mailbox.take().isEmpty)
    }

    @Test("the socket of an input is looked for where programs of this user have theirs")
    func sockets() throws {
        var pattern = Array("/tmp/tutti-sockets-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&pattern).map { String(cString: $0) })
        defer { rmdir(folder) }
        mkdir(folder + "/tutti", 0o700)
        defer { rmdir(folder + "/tutti") }
        let environment = ["XDG_RUNTIME_DIR": folder]
        #expect(SoundFolder.findSocket(of: "a", environment: environment) == nil)
        let path = SoundFolder.socket(of: "a", in: folder + "/tutti")
        close(creat(path, 0o600))
        defer { unlink(path) }
        #expect(SoundFolder.findSocket(of: "a", environment: environment) == path)
        #expect(SoundFolder.findSocket(of: "../tutti/a", environment: environment) == nil)
    }

    @Test("work on several threads gives its results in order")
    func workers() {
        #expect(Workers.map(100, threads: 4) { $0 * $0 } == (0..<100).map { $0 * $0 })
        #expect(Workers.map(0, threads: 4) { $0 }.isEmpty)
    }
}
