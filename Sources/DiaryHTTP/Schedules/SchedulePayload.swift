import DiaryCore
import WireFormats

enum SchedulePayload {
    static func write(_ schedule: ExportSchedule, to w: inout JSONWriter) {
        let terms = schedule.terms
        let words = SimpleRecurrence(terms.timing.rule)
        w.member("id", schedule.id)
        w.member("rrule", terms.timing.rule.description)
        w.member("frequency", WireFrequency(terms.timing.rule.frequency).rawValue)
        w.member("weekday", words?.weekday?.rawValue)
        w.member("day", words?.day)
        w.member("month", words?.month)
        w.member("starts_on", terms.timing.startsOn)
        w.member("hour", terms.timing.hour)
        w.member("minute", terms.timing.minute)
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
        w.member("status", schedule.status.rawValue)
        w.member("pause_reason", schedule.pauseReason?.rawValue)
        w.member("next_run_at", schedule.nextRunAt)
        w.member("last_run_at", schedule.lastRunAt)
        w.member("failures", schedule.failures)
        w.member("error_code", schedule.error?.rawValue)
        w.member("error_at", schedule.errorAt)
        w.member("created_at", schedule.createdAt)
        w.member("updated_at", schedule.updatedAt)
        w.member("version", schedule.version)
    }
}
