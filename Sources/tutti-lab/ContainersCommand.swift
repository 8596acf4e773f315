import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab containers`.
struct ContainersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "containers",
        abstract: "Test a house in containers, from inside one of them.",
        discussion: """
            For the service `tests` of docker-compose.yml: uses the sender, has the other containers killed, paused and cut off through \
            Docker's socket, and judges by what the virtual cards recorded. The exit status is 1 when a test fails.
            """)

    @Option(help: "Where the rooms record, each in a folder of its name.")
    var folder = "/lab"

    @Option(help: "Docker's socket.")
    var socket = "/var/run/docker.sock"

    func run() throws {
        let id = ProcessInfo.processInfo.hostName
        let house = try ContainerHouse(socket: socket, folder: folder, id: id)
        let tests = ContainerTests(house, demonstration: "\(folder)/piece.wav")
        let hasPassed = tests.run { text in
            print(text)
            fflush(nil)
        }
        if !hasPassed { throw ExitCode.failure }
    }
}
