/// Carries out commands. It blocks for as long as the service takes.
package struct MPDCommander: Sendable {
    let house: any MPDHouse
    let library: any MPDLibrary
    let passwords: MPDPasswords
    let hub: MPDMessageHub
    /// When the server began, by the house's clock.
    let begun: Double

    package init(
        _ house: any MPDHouse, library: any MPDLibrary = EmptyMPDLibrary(), passwords: MPDPasswords = MPDPasswords(),
        hub: MPDMessageHub = MPDMessageHub()
    ) {
        (self.house, self.library, self.passwords, self.hub) = (house, library, passwords, hub)
        begun = house.now
    }

    /// Carries out a command, or a list of them up to the first that fails.
    ///
    /// - Parameter drain: takes pieces of a long answer, of which the outcome has the rest.
    package func run(_ job: MPDJob, drain: MPDOutput.Drain? = nil) -> MPDOutcome {
        var call = MPDCall(self, job.client, drain: drain)
        var position = 0
        while position < job.lines.count {
            let together = job.kind == .one ? 1 : call.added(job.lines[position...], okAfterEach: job.kind == .okList)
            if together > 1 {
                position += together
                continue
            }
            do throws(MPDFault) {
                try call.carryOut(job.lines[position], isInList: job.kind != .one)
            } catch {
                call.output.line(
                    String(error.line(at: position, of: call.isKnown ? call.name : "").dropLast()))
                return call.outcome
            }
            if job.kind == .okList { call.output.line("list_OK") }
            if call.output.isTooLong { break }
            position += 1
        }
        call.output.line("OK")
        return call.outcome
    }
}
