import ArgumentParser
import FoundationEssentials
import Glibc
import TuttiCommandLine
import TuttiTunnel

/// `tutti host`.
struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Remembers other hosts and their tokens, for `tutti --host`.",
        discussion: """
            `tutti --host HOST[:PORT] COMMAND` gives a command to the service of another host, over HTTPS. That host \
            serves it with `tutti serve --http`, and makes a token with `tutti token new`. Files that you name are \
            sent there first. $TUTTI_HOST stands for --host, and $TUTTI_TOKEN for the token that is remembered.

            A certificate of your own household is accepted, and one of an authority that this computer trusts. Any \
            other is remembered at first sight; if it changes later, commands are refused until you forget it.

            EXAMPLES
              tutti host add music.local
              tutti --host music.local play song.flac --group downstairs
              tutti --host music.local volume -5

            FILES
              $XDG_CONFIG_HOME/tutti/hosts.json
                  tokens and fingerprints; its owner's alone
            """,
        subcommands: [List.self, Add.self, Forget.self], defaultSubcommand: List.self)

    static func address(_ text: String) throws -> RemoteAddress {
        guard let address = RemoteAddress(text) else {
            throw ValidationError("\(text): a host is HOST or HOST:PORT, such as music.local or 10.0.0.7:7780")
        }
        return address
    }

    /// `tutti host list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the hosts that are remembered.")

        func run() throws {
            for (address, entry) in try Remote.hosts.entries().sorted(by: { $0.key < $1.key }) {
                let fingerprint = entry.fingerprint.map { "  SHA-256 \($0)" } ?? ""
                Terminal.write("\(address)  \(entry.token == nil ? "no token" : "token")\(fingerprint)\n")
            }
        }
    }

    /// `tutti host add HOST`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remembers a host and its token.",
            discussion: "The token is $TUTTI_TOKEN, or a line of standard input. It is tried before it is kept.")

        @Argument(help: ArgumentHelp("The host.", valueName: "host[:port]"))
        var host: String

        func run() async throws {
            let address = try HostCommand.address(host)
            let token = try token()
            let (_, access) = try await Remote.meet(address, token: token)
            try Remote.hosts.change(address) { entry in
                entry = KnownHosts.Entry(token: token, fingerprint: entry?.fingerprint)
            }
            let limit = access.group.map { ", for the group \($0) only" } ?? ""
            Terminal.writeError("\(address): the token is good (\(access.scope)\(limit))\n")
        }

        private func token() throws -> String {
            if let token = getenv("TUTTI_TOKEN").map({ String(cString: $0) }), !token.isEmpty { return token }
            if isatty(STDIN_FILENO) == 1 { Terminal.writeError("token of \(host): ") }
            guard let line = readLine(), !line.isEmpty else { throw ValidationError("a token is needed") }
            return line
        }
    }

    /// `tutti host forget HOST`.
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets a host, its token and its certificate.")

        @Argument(help: ArgumentHelp("The host.", valueName: "host[:port]"))
        var host: String

        func run() throws {
            let address = try HostCommand.address(host)
            guard try Remote.hosts.entries()["\(address)"] != nil else {
                throw Failure("\(address): no such host is remembered; `tutti host list`", exitCode: 3)
            }
            try Remote.hosts.change(address) { $0 = nil }
        }
    }
}
