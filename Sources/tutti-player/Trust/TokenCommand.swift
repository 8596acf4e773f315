import ArgumentParser
import FoundationEssentials
import TuttiCommandLine
import TuttiHost
import TuttiTrust

extension TokenScope: ExpressibleByArgument {}

/// `tutti token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes, lists and revokes tokens for programs and phones.",
        discussion: """
            A token lets a program or a phone use this host's service over HTTP. Make one for each, so that you can \
            revoke them one by one.

            EXAMPLES
              tutti token new phone
              tutti token new dashboard --scope listen
              tutti token
              tutti token revoke phone

            EXIT STATUS
              0 done   1 failed   2 wrong usage   4 refused
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
            let entries = try store.entries()
            if json { return Terminal.write(json: Report(tokens: entries)) }
            for entry in entries {
                let day = Date(timeIntervalSince1970: Double(entry.madeAt)).formatted(.iso8601.year().month().day())
                Terminal.write("\(entry.name)  \(entry.scope.rawValue)  \(day)\n")
            }
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

        @OptionGroup var code: QROption

        func run() throws {
            let token = try store.add(name, scope: scope, at: Int64(Date().timeIntervalSince1970))
            Terminal.write(token.text + "\n")
            code.write(token.text)
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
