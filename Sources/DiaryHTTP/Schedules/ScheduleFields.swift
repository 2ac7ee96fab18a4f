import DiaryCore
import WireFormats

/// The members of a request about a schedule, of a new one or of changes.
enum ScheduleFields {
    private static let mostKept: Int64 = 100

    static func creation(_ f: inout Fields) -> ScheduleForm {
        var form = common(&f)
        form.kind = f.patch("kind") { $0.choice("kind", of: EntryKind.self) }
        form.keepLast = f.patch("keep_last") { number("keep_last", 1...mostKept, &$0) }
        return form
    }

    /// A merge patch (RFC 7396).
    static func patch(_ f: inout Fields) -> ScheduleForm {
        var form = common(&f)
        form.kind = f.patchWord("kind") { $0.choice("kind", of: EntryKind.self) }
        form.keepLast = f.patchCount("keep_last", max: mostKept)
        return form
    }

    /// What a creation and a patch read alike.
    private static func common(_ f: inout Fields) -> ScheduleForm {
        var form = ScheduleForm()
        form.every = f.choice("every", of: ScheduleTiming.Every.self)
        form.weekday = f.choice("weekday", of: ScheduleTiming.Weekday.self)
        form.day = number("day", 1...31, &f)
        form.month = number("month", 1...12, &f)
        form.minute = f.timeOfDay("at")
        form.timeZone = f.timeZone("time_zone")
        form.covers = f.bool("changes_only").map { $0 ? .changes : .all }
        form.includeAudio = f.bool("include_audio")
        form.formats = ExportFields.formats(&f)
        form.layer = f.choice("layer", of: ExportLayer.self)
        form.tags = f.tags()
        if f.has("tags"), f.value("tags") == nil { form.tags = [] }
        form.mail = f.bool("mail")
        form.paused = f.bool("paused")
        return form
    }

    private static func number(_ name: String, _ range: ClosedRange<Int64>, _ f: inout Fields) -> Int? {
        f.integer(name, in: range).map { Int($0) }
    }
}

enum SchedulePayload {
    static func write(_ schedule: ExportSchedule, to w: inout JSONWriter) {
        let terms = schedule.terms
        w.member("id", schedule.id)
        w.member("every", terms.timing.every.rawValue)
        w.member("weekday", terms.timing.weekday?.rawValue)
        w.member("day", terms.timing.day)
        w.member("month", terms.timing.month)
        w.member("at", ProfileFields.clock(terms.timing.minute))
        w.member("time_zone", terms.timing.timeZone)
        w.member("changes_only", terms.covers == .changes)
        w.member("include_audio", terms.contents.includeAudio)
        w.member("formats", terms.contents.formats.map(\.rawValue).sorted())
        w.member("layer", terms.contents.layer.rawValue)
        w.member("kind", terms.kind?.rawValue)
        // Those that cannot be read are not shown as none.
        if schedule.sealedTags == nil { w.member("tags", terms.tags) } else { w.member("tags", String?.none) }
        w.member("keep_last", terms.keepLast)
        w.member("mail", terms.mail)
        w.member("paused", schedule.nextAt == nil)
        w.member("next_at", schedule.nextAt)
        w.member("last_at", schedule.lastAt)
        w.member("created_at", schedule.createdAt)
        w.member("updated_at", schedule.updatedAt)
        w.member("version", schedule.version)
    }
}
