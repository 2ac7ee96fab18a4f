import DiaryCore
import WireFormats

/// The members of a request about a schedule, of a new one or of changes.
enum ScheduleFields {
    private static let names = [
        "rrule", "frequency", "weekday", "day", "month", "starts_on", "hour", "minute", "time_zone", "covers", "include_audio", "formats",
        "layer", "kind", "tags", "keep_last", "mail", "paused",
    ]

    private static let mostKept: Int64 = 100

    static func creation(_ f: inout Fields) -> ScheduleForm {
        var form = common(&f)
        form.kind = f.patch("kind") { $0.choice("kind", of: EntryKind.self) }
        form.keepLast = f.patch("keep_last") { number("keep_last", 1...mostKept, &$0) }
        return form
    }

    /// A merge patch (RFC 7396).
    static func patch(_ f: inout Fields) -> ScheduleForm {
        f.refuseOthers(than: names)
        var form = common(&f)
        form.kind = f.patchWord("kind") { $0.choice("kind", of: EntryKind.self) }
        form.keepLast = f.patchCount("keep_last", max: mostKept)
        return form
    }

    /// What a creation and a patch read alike.
    private static func common(_ f: inout Fields) -> ScheduleForm {
        var form = ScheduleForm()
        form.recurrence = recurrence(&f)
        form.startsOn = f.day("starts_on")
        if let day = form.startsOn, !(2000...2199).contains(day.year) { f.refuse("starts_on", "must lie in the years 2000 to 2199") }
        form.hour = number("hour", 0...23, &f)
        form.minute = number("minute", 0...59, &f)
        form.timeZone = f.timeZone("time_zone")
        form.covers = f.choice("covers", of: ScheduleCoverage.self)
        form.includeAudio = f.bool("include_audio")
        form.formats = ExportFields.formats(&f)
        form.layer = f.choice("layer", of: ExportLayer.self)
        form.tags = f.texts("tags", maxCount: EntryFields.tagCount, maxEach: EntryFields.tagLength)
        if f.has("tags"), f.value("tags") == nil { form.tags = [] }
        form.mail = f.bool("mail")
        form.paused = f.bool("paused")
        return form
    }

    private static func recurrence(_ f: inout Fields) -> ScheduleForm.Recurrence? {
        let words = ["frequency", "weekday", "day", "month"].filter { f.value($0) != nil }
        if let text = f.text("rrule", max: 500, min: 1) {
            for name in words { f.refuse(name, "cannot be combined with rrule") }
            do throws(RecurrenceRuleError) { return .rule(try RecurrenceRule(text)) } catch {
                f.refuse("rrule", error.reason)
                return nil
            }
        }
        guard !words.isEmpty else { return nil }
        let frequency = f.choice("frequency", of: WireFrequency.self)
        return .words(
            frequency?.frequency, weekday: f.choice("weekday", of: SimpleRecurrence.Weekday.self), day: number("day", -1...31, &f),
            month: number("month", 1...12, &f))
    }

    private static func number(_ name: String, _ range: ClosedRange<Int64>, _ f: inout Fields) -> Int? {
        f.integer(name, in: range).map { Int($0) }
    }
}

/// The frequencies as JSON has them.
enum WireFrequency: String, CaseIterable {
    case daily, weekly, monthly, yearly

    var frequency: RecurrenceRule.Frequency {
        switch self {
        case .daily: .daily
        case .weekly: .weekly
        case .monthly: .monthly
        case .yearly: .yearly
        }
    }

    init(_ frequency: RecurrenceRule.Frequency) {
        self =
            switch frequency {
            case .daily: .daily
            case .weekly: .weekly
            case .monthly: .monthly
            case .yearly: .yearly
            }
    }
}
