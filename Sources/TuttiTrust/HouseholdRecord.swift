/// What every member keeps of its household, speakers and senders alike.
protocol HouseholdRecord {
    /// The keys of the household's time.
    var timeKeys: TimeKeys { get set }
    /// Who is let in no longer.
    var revocations: Revocations { get set }
}

extension HouseholdRecord {
    /// Takes keys and a list of revocations, if that is newer and the household's. Whoever was revoked knows the keys
    /// before; the newest is from after.
    mutating func take(_ keys: [TimeKey], _ list: Revocations?, householdKey: [UInt8]) {
        let newest = timeKeys.newest?.epoch ?? 0
        var revokes = false
        if let list, list.serial > revocations.serial, list.isSigned(by: householdKey) {
            revocations = list
            revokes = true
        }
        for key in keys.sorted(by: { $0.epoch < $1.epoch }) {
            timeKeys.add(key, revokesOlder: revokes && key.epoch > newest)
        }
    }
}
