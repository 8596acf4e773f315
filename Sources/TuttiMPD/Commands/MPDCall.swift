import TuttiCore
import TuttiRemote
import TuttiSchema

/// A command, or one after another of a list, while it is carried out.
struct MPDCall {
    let commander: MPDCommander
    /// Of the command that is being carried out; whether there is such a command.
    private(set) var name = ""
    private(set) var isKnown = false
    var arguments: [String] = []
    var client: MPDClient
    var output: MPDOutput
    var changes: [MPDChange] = []
    /// Whether tracks of this list were refused when they were added together.
    var addsOneByOne = false
    private var closes = false

    init(_ commander: MPDCommander, _ client: MPDClient, drain: MPDOutput.Drain? = nil) {
        (self.commander, self.client, output) = (commander, client, MPDOutput(drain: drain))
    }

    var house: any MPDHouse { commander.house }
    var library: any MPDLibrary { commander.library }

    /// What has come of it.
    var outcome: MPDOutcome {
        var outcome = MPDOutcome(output.bytes, client)
        (outcome.closes, outcome.changes) = (closes || output.isTooLong, changes)
        return outcome
    }

    /// Carries out one line.
    mutating func carryOut(_ line: [UInt8], isInList: Bool) throws(MPDFault) {
        (name, isKnown) = ("", false)
        let words = try MPDWords(line: line)
        (name, arguments) = (words.command, words.arguments)
        guard let command = MPDCommand.all[name] else {
            guard !MPDCommand.ofConnection.contains(name) || !isInList else {
                throw MPDFault(.unknown, "\"\(name)\" is not possible in a command list")
            }
            throw MPDFault(.unknown, "unknown command \"\(name)\"")
        }
        isKnown = true
        guard client.permissions.isSuperset(of: command.permission) else {
            throw MPDFault(.permission, "you don't have permission for \"\(name)\"")
        }
        guard command.counts.contains(arguments.count) else {
            let text = arguments.count < command.counts.lowerBound ? "too few" : "too many"
            throw MPDFault(
                .argument,
                command.counts.count == 1
                    ? "wrong number of arguments for \"\(name)\"" : "\(text) arguments for \"\(name)\"")
        }
        try command.action(&self)
    }

    /// Ends the connection after the answer.
    mutating func close() { closes = true }

    // MARK: The partition

    /// The client's partition, as it stands.
    ///
    /// - Throws: that it is gone, or that the service is.
    func partition() throws(MPDFault) -> MPDPartition {
        let model = house.model
        guard model.isThere else { throw MPDFault(.system, "\(ServiceClient.Failure.unavailable)") }
        guard let partition = model.partition(client.partition) else {
            throw MPDFault(.noSuchThing, "the partition \(client.partition) is gone; choose another one")
        }
        return partition
    }

    /// Asks the service.
    @discardableResult
    func ask(_ request: ControlRequest) throws(MPDFault) -> ControlResponse {
        do throws(ServiceClient.Failure) {
            return try house.ask(request)
        } catch {
            throw MPDFault(.system, error.description)
        }
    }

    /// Asks the client's partition for something.
    @discardableResult
    func ask(_ command: PlayerCommand, of partition: MPDPartition) throws(MPDFault) -> ControlResponse {
        try ask(ControlRequest(command, group: partition.name.isEmpty ? nil : partition.name))
    }
}
