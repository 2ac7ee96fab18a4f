import DiaryCore
import WireFormats

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
        w.member("covers", terms.covers.rawValue)
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
