import FoundationEssentials
import GRDB
import TuttiCore
import TuttiDatabase
package import TuttiRooms
import TuttiSchema
import TuttiSender

/// What is to happen later.
extension HouseStore {
    /// All schedules, by their numbers; those that cannot be understood are set aside.
    package func schedules() throws(SenderError) -> [Int: ScheduleRecord] {
        try byKey("schedule", key: "id", called: "schedule") { row in
            (row.value("content") as Data?).flatMap { JSONLine.decode($0) }
        }
    }

    /// Adds a schedule.
    ///
    /// - Returns: its number, never used again.
    package func addSchedule(_ schedule: ScheduleRecord) throws(SenderError) -> Int {
        try write { db in
            try db.execute(
                sql: "INSERT INTO schedule (content) VALUES (?)", arguments: [Data(JSONLine.encode(schedule))])
            return Int(db.lastInsertedRowID)
        }
    }

    /// Replaces a schedule; nothing happens when it is not there any more.
    package func updateSchedule(_ number: Int, _ schedule: ScheduleRecord) throws(SenderError) {
        try write { db in
            try db.execute(
                sql: "UPDATE schedule SET content = ? WHERE id = ?",
                arguments: [Data(JSONLine.encode(schedule)), number])
        }
    }

    /// Takes a group that is deleted out of all schedules; those that have nowhere else to play go.
    ///
    /// - Returns: a line for each that goes.
    package func removeSchedules(ofGroup name: String) throws(SenderError) -> [String] {
        var lines: [String] = []
        for (number, schedule) in try schedules().sorted(by: { $0.key < $1.key }) {
            guard var order = schedule.order, order.groups.contains(where: { Names.areSame($0, name) }) else {
                continue
            }
            order.groups.removeAll { Names.areSame($0, name) }
            var changed = schedule
            changed.order = order
            if order.groups.isEmpty, order.rooms.isEmpty {
                try removeSchedules([number])
                lines.append("schedule \(number) (\(schedule.when)) is cancelled, because it was for the group \(name)")
            } else {
                try updateSchedule(number, changed)
            }
        }
        return lines
    }

    /// Takes schedules out, all or none.
    ///
    /// - Throws: `.noSuchSchedule`.
    package func removeSchedules(_ numbers: [Int]) throws(SenderError) {
        try write { db in
            for number in numbers {
                try db.execute(sql: "DELETE FROM schedule WHERE id = ?", arguments: [number])
                if db.changesCount == 0 { throw SenderError.noSuchSchedule(number) }
            }
        }
    }
}
