/// What every member keeps of its household, speakers and senders alike.
protocol HouseholdRecord {
    /// The keys of the household's time.
    var timeKeys: TimeKeys { get set }
    /// Who is let in no longer.
    var revocations: Revocations { get set }
}

extension HouseholdRecord {
    /// Takes a list of revocations, if that is newer and the household's, and those keys that count by the list. Whoever
    /// was revoked knows the keys of before, and may have handed out a later one of its own; the list names the one key
    /// that counts from now on, and until that has come there is none.
    mutating func take(_ keys: [TimeKey], _ list: Revocations?, householdKey: [UInt8]) {
        if let list, list.serial > revocations.serial, list.isSigned(by: householdKey) {
            revocations = list
            timeKeys.keep { list.admits($0) }
        }
        for key in keys where revocations.admits(key) { timeKeys.add(key) }
    }
}
