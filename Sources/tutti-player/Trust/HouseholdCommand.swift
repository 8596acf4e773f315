import ArgumentParser
import Glibc
import NIOCore
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiStore
import TuttiTrust
import TuttiWire

/// `tutti household`.
struct HouseholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "household",
        abstract: "Shows and changes which senders may play in your rooms.",
        discussion: """
            A speaker belongs to the first household that plays on it. From then on only senders of that household get \
            in. This host made its household when it first played something. To play from another host too, invite it: \
            `tutti household invite` here prints the command to type there.

            The host that made the household holds its signing key. Keep a copy: `tutti household export FILE`.

            EXAMPLES
              tutti household
              tutti household invite
              tutti household join Q7KM-…@10.0.0.5:41233
              tutti household export household.json
              tutti household revoke laptop
            """,
        subcommands: [
            List.self, Invite.self, Join.self, Export.self, Import.self, Revoke.self,
        ], defaultSubcommand: List.self)

    static var folder: MembershipFolder { MembershipFolder(stateDirectory: PlayerSettings.paths.stateDirectory) }

    static var name: String { SenderIdentity.hostName() }

    /// `tutti household list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the senders that this host has let in.")

        @Flag(help: "Print a line of JSON; see docs/json.md.")
        var json = false

        private struct Report: Encodable {
            var household: String
            var id: String
            var name: String
            var signs: Bool
            var senders: [Membership.Sender]
            var revoked: [String]
        }

        func run() throws {
            let membership = try folder.load(name: HouseholdCommand.name)
            let report = Report(
                household: membership.household, id: membership.node.id, name: HouseholdCommand.name,
                signs: membership.canSign, senders: membership.senders, revoked: membership.revocations.nodes)
            if json { return Terminal.write(json: report) }
            var lines = ["household \(report.household)"]
            lines.append(
                "\(report.name)  \(report.id)  this host\(report.signs ? ", which can invite and revoke" : "")")
            lines += report.senders.map { "\($0.name)  \($0.id)" }
            lines += report.revoked.map { "\($0)  revoked" }
            Terminal.write(lines.joined(separator: "\n") + "\n")
        }
    }

    /// `tutti household invite`.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets one more host into the household.",
            discussion: """
                Prints the command to type on the other host, and waits for it, for ten minutes at most. The code works \
                once.
                """)

        @Option(
            help: ArgumentHelp(
                "The address of this host that the other one reaches. (default: the first one)", valueName: "address"))
        var address: String?

        @OptionGroup var code: QROption

        func run() async throws {
            let membership = try folder.load(name: HouseholdCommand.name)
            let host = try InvitationHost(membership, host: address ?? Self.ownAddress())
            Terminal.write("On the other host, type:\n\n  tutti household join \(host.invitation.text)\n\n")
            code.write(host.invitation.text)
            let name = try await host.wait()
            Terminal.write("\(name) is in the household now.\n")
        }

        /// The first address of this host that others may reach.
        private static func ownAddress() throws -> String {
            let addresses = (try? System.enumerateDevices())?.compactMap(\.address) ?? []
            let usable = addresses.filter { $0.protocol == .inet }.compactMap(\.ipAddress)
            return usable.first { !$0.hasPrefix("127.") } ?? "127.0.0.1"
        }
    }

    /// `tutti household join CODE`.
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Joins the household that has invited this host.",
            discussion: "Rooms that this host has claimed for a household of its own stay with that: reset them first.")

        @Argument(help: ArgumentHelp("What `tutti household invite` has printed there.", valueName: "code"))
        var code: String

        func run() throws {
            let membership = try folder.join(Invitation(parsing: code), name: HouseholdCommand.name)
            Terminal.write("This host is in the household \(membership.household) now.\n")
            HouseholdCommand.adviseRestart()
        }
    }

    /// `tutti household export FILE`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the household to a file that a passphrase opens.",
            discussion: "The passphrase is read from the terminal, or from standard input's first line.")

        @Argument(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
        var file: String

        func run() throws {
            let passphrase = try Passphrase.read(confirms: true)
            let bytes = try folder.export(passphrase: passphrase, name: HouseholdCommand.name)
            try AtomicFile.write(bytes, to: file)
        }
    }

    /// `tutti household import FILE`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes this host a sender of an exported household, which can invite and revoke.")

        @Argument(
            help: ArgumentHelp("What `tutti household export` has written.", valueName: "file"), completion: .file())
        var file: String

        func run() throws {
            guard let bytes = try AtomicFile.read(file) else {
                throw Failure("\(file): no such file", exitCode: 3)
            }
            let membership = try folder.restore(
                bytes, passphrase: Passphrase.read(confirms: false), name: HouseholdCommand.name)
            Terminal.write("This host is in the household \(membership.household) now.\n")
            HouseholdCommand.adviseRestart()
        }
    }

    /// `tutti household revoke SENDER`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets a sender in no longer.",
            discussion: """
                Tells all rooms that answer now; the others learn it from the next sender of the household that they \
                meet. Rooms where the sender plays send it away.
                """)

        @Argument(help: ArgumentHelp("Its name or id; `tutti household` lists them.", valueName: "sender"))
        var sender: String

        func run() async throws {
            let membership = try folder.load(name: HouseholdCommand.name)
            let id = try membership.revoke(sender)
            Terminal.write("\(sender) (\(id)) is revoked.\n")
            let book = try PlayerSettings.book()
            let pins = membership.pins
            var told: Set<String> = []
            func tell(_ rooms: [RoomAddress]) async {
                for found in await book.find(rooms) {
                    if case .success(let place) = found { told.insert(place.look.welcome.name.lowercased()) }
                }
            }
            // Those first whose addresses are known: listening to the network takes seconds.
            let places = book.known.map { ($0.name, $0.address) } + pins.map { ($0.key, $0.value.place) }
            let met = places.compactMap { name, place in try? RoomAddress(parsing: "\(name)@\(place)") }
            await tell(Array(Set(met)))
            let announced = ((try? await RoomResolver.all(as: membership)) ?? []).map(\.room)
            await tell(announced.filter { !told.contains($0.name.lowercased()) })
            let missing = pins.keys.filter { !told.contains($0) }.sorted()
            if !missing.isEmpty {
                Terminal.write(
                    "Not told yet: \(missing.joined(separator: ", ")); they learn it when they are met next.\n")
            }
        }
    }

    /// A service that runs goes on as what it was.
    private static func adviseRestart() {
        Terminal.write("Restart `tutti serve`, if it runs here.\n")
    }
}

/// A passphrase, which is not shown while it is typed.
enum Passphrase {
    /// - Throws: `ProgramFailure` when there is none, or the second one is another.
    static func read(confirms: Bool) throws -> String {
        let first = try line(prompt: "Passphrase: ")
        if confirms, isatty(STDIN_FILENO) == 1, try line(prompt: "Again: ") != first {
            throw Failure("the two passphrases are not the same")
        }
        return first
    }

    private static func line(prompt: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            guard let line = readLine() else { throw Failure("no passphrase on standard input") }
            return line
        }
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
            Terminal.writeError("\n")
        }
        Terminal.writeError(prompt)
        guard let line = readLine() else { throw Failure("no passphrase") }
        return line
    }
}
