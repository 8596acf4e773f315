extension Schedule {
    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    /// The longest time from now, in seconds: a year.
    private static let longest: Int64 = 366 * 86_400

    /// Reads `07:00`, `mon-fri 07:00`, `sat,sun 9:30`, `daily 07:00`, `2026-12-24 18:00`, `in 20m` and `in 1h30m`; nil
    /// for what is none of them.
    package init?(parsing text: String) {
        let words = text.lowercased().split(separator: " ").map(String.init)
        guard let last = words.last else { return nil }
        self.text = words.joined(separator: " ")
        if words.count == 2, words[0] == "in" {
            guard let seconds = Self.duration(last) else { return nil }
            kind = .after(seconds: seconds)
            return
        }
        guard words.count <= 2, let second = Self.timeOfDay(last) else { return nil }
        guard words.count == 2 else {
            kind = .once(secondOfDay: second)
            return
        }
        if let days = Self.days(words[0]) {
            kind = .weekly(days, secondOfDay: second)
        } else if let day = Self.date(words[0]) {
            kind = .date(day: day, secondOfDay: second)
        } else {
            return nil
        }
    }

    /// Reads `20m`, `90s`, `1h30m`, in seconds of 1 … a year.
    package static func duration(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["h": 3_600, "m": 60, "s": 1]
        var total: Int64 = 0
        var digits = ""
        var smallest = Int64.max
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let unit = units[character], unit < smallest, digits.count <= 8, let number = Int64(digits) else {
                    return nil
                }
                total += number * unit
                (digits, smallest) = ("", unit)
            }
        }
        return digits.isEmpty && (1...longest).contains(total) ? total : nil
    }

    /// Reads `7:00`, `07:00` and `07:00:30`.
    private static func timeOfDay(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.count <= 2 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(part) : nil
        }
        guard (2...3).contains(parts.count), numbers.count == parts.count, parts[1].count == 2, numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    /// Reads `daily`, `mon`, `mon-fri`, `sat,sun`, `fri-mon`.
    private static func days(_ text: String) -> Days? {
        if text == "daily" { return Set(0...6) }
        var days: Days = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                names.firstIndex(of: String($0))
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            let length = (last - first + 7) % 7
            for day in 0...length { days.insert((first + day) % 7) }
        }
        return days
    }

    /// Reads `2026-12-24`.
    private static func date(_ text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        guard numbers.count == 3, parts.map(\.count) == [4, 2, 2] else { return nil }
        return day(year: numbers[0], month: numbers[1], day: numbers[2])
    }
}
