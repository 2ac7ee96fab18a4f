import DiaryCore
import WireFormats

extension Fields {
    /// A reminder, whole: one without a member would leave the others' present values to chance.
    mutating func reminder(_ name: String) -> Reminder? {
        nested(name) { f in
            let minute = f.required("time", 0) { $0.timeOfDay("time") }
            let days = f.required("days", []) { $0.weekdays("days") }
            return Reminder(minute: minute, days: days, enabled: f.required("enabled", false) { $0.bool("enabled") })
        }
    }

    private mutating func weekdays(_ name: String) -> [ScheduleTiming.Weekday]? {
        guard let names = texts(name, maxCount: ScheduleTiming.Weekday.allCases.count, maxEach: 20) else { return nil }
        var days: [ScheduleTiming.Weekday] = []
        for (index, text) in names.enumerated() {
            if let day = ScheduleTiming.Weekday(rawValue: text) {
                days.append(day)
            } else {
                errors.append(.init("\(pointer(name))/\(index)", "must be a weekday such as monday"))
            }
        }
        return days
    }
}

enum ReminderPayload {
    static func write(_ reminder: Reminder, to w: inout JSONWriter) {
        w.member("time", ProfileFields.clock(reminder.minute))
        w.member("days", reminder.days.map(\.rawValue))
        w.member("enabled", reminder.enabled)
    }
}
