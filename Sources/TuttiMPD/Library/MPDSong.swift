/// A song, as answers describe it.
package struct MPDSong: Sendable, Equatable, MPDTagged {
    /// What clients name it by: a path in the library, an absolute path, or an address.
    package var uri: String
    /// Its tags, each with one value or more.
    package var tags: [MPDTag: [String]] = [:]
    /// Seconds; nil if that is not known.
    package var duration: Double?
    /// Seconds since 1970 UTC of its last change.
    package var modified: Int64?

    package init(uri: String) { self.uri = uri }

    package var song: MPDSong { self }
    package func own(_ tag: MPDTag) -> [String] { tags[tag] ?? [] }
    package var everyValue: [String] { tags.values.flatMap(\.self) }

    /// Describes it in an answer.
    ///
    /// - Parameter mask: the tags that the client wants.
    func write(to output: inout MPDOutput, tags mask: MPDTag) {
        output.pair("file", uri)
        if let modified, let date = MPDDate.text(of: modified) { output.pair("Last-Modified", date) }
        for (name, tag) in MPDTag.named where mask.contains(tag) {
            for value in tags[tag] ?? [] { output.pair(name, value) }
        }
        guard let duration, duration.isFinite, (0...1e9).contains(duration) else { return }
        output.pair("Time", Int(duration.rounded()))
        output.pair("duration", seconds: duration)
    }
}

/// Times as the protocol has them.
enum MPDDate {
    /// ISO 8601, in UTC; nil beyond the year 9999.
    static func text(of seconds: Int64) -> String? {
        guard (0..<253_402_300_800).contains(seconds) else { return nil }
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civil(days)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { two(Int($0)) }
        return "\(year)-\(two(month))-\(two(day))T\(time[0]):\(time[1]):\(time[2])Z"
    }

    /// Seconds since 1970 of a number or of ISO 8601 with or without a time; nil for what is neither.
    static func seconds(of text: String) -> Int64? {
        if let number = Int64(text) { return number }
        let parts = text.split { "-T:Z".contains($0) }.map { Int64($0) }
        guard parts.count == 3 || parts.count == 6, !parts.contains(nil) else { return nil }
        let numbers = parts.compactMap(\.self)
        guard (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
            numbers.dropFirst(3).allSatisfy({ (0...60).contains($0) })
        else { return nil }
        let time = numbers.count == 6 ? numbers[3] * 3600 + numbers[4] * 60 + numbers[5] : 0
        return days(numbers[0], numbers[1], numbers[2]) * 86_400 + time
    }

    /// The Gregorian date so many days after 1 January 1970.
    private static func civil(_ days: Int64) -> (year: Int, month: Int, day: Int) {
        // Years begin in March here, so that the odd day comes last.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let isLate = month >= 10
        return (
            Int(year + era * 400) + (isLate ? 1 : 0), Int(isLate ? month - 9 : month + 3),
            Int(ofYear - (153 * month + 2) / 5) + 1
        )
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, ofEra) = (shifted / 400, shifted % 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
