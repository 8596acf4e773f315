import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab containers`.
struct ContainersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "containers",
        abstract: "Tests a household in containers, from inside one of them.",
        discussion: """
            For the service `tests` of docker-compose.yml. Uses the sender, and kills, pauses and disconnects the \
            other containers through Docker's socket. Judges by what the virtual cards recorded. The exit status is 1 \
            if a test fails.
            """)

    @Option(help: "The folder with the rooms' recordings, one subfolder for each room.")
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
