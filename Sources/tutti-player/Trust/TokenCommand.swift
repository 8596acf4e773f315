import ArgumentParser
import FoundationEssentials
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiTrust

extension TokenScope: ExpressibleByArgument {}

/// `tutti token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes, lists and revokes tokens for programs and phones.",
        discussion: """
            A token lets a program or a phone use this host's service over HTTP. Make one for each, so that you can \
            revoke them one by one.

            A token with --group is a guest's: it shows and changes that group and its rooms, and nothing else. With \
            --for, it ends on its own. If other hosts can reach the service (http: in tutti.yaml), `tutti token new` \
            also shows a link, and its QR code, which opens the page signed in.

            EXAMPLES
              tutti token new phone
              tutti token new dashboard --scope listen
              tutti token new party --group downstairs --for 6h
              tutti token
              tutti token revoke phone

            EXIT STATUS
              0 done   1 failed   2 wrong usage   3 no such group   4 refused
            """,
        subcommands: [List.self, New.self, Revoke.self], defaultSubcommand: List.self)

    static var store: TokenStore { TokenStore(stateDirectory: PlayerSettings.paths.stateDirectory) }

    /// `tutti token list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tokens' names and scopes.")

        @Flag(help: "Print a line of JSON; see docs/json.md.")
        var json = false

        private struct Report: Encodable { var tokens: [TokenEntry] }

        func run() throws {
            let entries = try store.entries(at: Int64(Date().timeIntervalSince1970))
            if json { return Terminal.write(json: Report(tokens: entries)) }
            for entry in entries { Terminal.write(TokenText.line(entry) + "\n") }
        }
    }

    /// `tutti token new NAME`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a token and prints it.",
            discussion: "Note it down: it is printed once, and only its hash is kept.")

        @Argument(help: ArgumentHelp("What the token is for.", valueName: "name"))
        var name: String

        @Option(
            help: ArgumentHelp(
                "listen: see and hear what plays; control: also change it; admin: also change who may.",
                valueName: "scope"))
        var scope = TokenScope.control

        @Option(
            help: ArgumentHelp(
                "For a guest: the only group of rooms that the token is for. (default: all)", valueName: "name"),
            completion: NameCompletion.groups)
        var group: String?

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp(
                "How long the token is good, such as 6h or 3d. (default: until revoked)", valueName: "time"))
        var duration: String?

        @Option(
            help: ArgumentHelp(
                "How the phone reaches the service, for the link. (default: by the address in tutti.yaml)",
                valueName: "https://host:port"))
        var url: String?

        @OptionGroup var code: QROption

        func run() throws {
            let now = Int64(Date().timeIntervalSince1970)
            let until = try duration.map { try now + TokenText.seconds($0) }
            let link = try TokenLink(url: url, PlayerSettings.load())
            if let group { try check(group) }
            let token = try store.add(name, scope: scope, group: group, until: until, at: now)
            Terminal.write(token.text + "\n")
            guard let address = link?.address(with: token.text) else { return code.write(token.text) }
            Terminal.writeError("to sign in on a phone or another computer, open \(address)\n")
            code.write(address)
        }

        private func check(_ group: String) throws {
            let groups = try GroupCommand.edit(.list)
            guard groups.keys.contains(where: { Names.areSame($0, group) }) else {
                throw SenderError.unknownGroup(group, among: groups.keys)
            }
        }
    }

    /// `tutti token revoke NAME`.
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets the holder of a token in no longer.")

        @Argument(help: ArgumentHelp("The token's name.", valueName: "name"))
        var name: String

        func run() throws { try store.revoke(name) }
    }
}
