import DiaryCore
import FoundationEssentials
import PostgresClient
import WireFormats

enum ScheduleColumns {
    static let list = """
        s.id, s.rule, s.starts_on, s.hour, s.minute, s.time_zone, s.covers, s.include_audio, s.formats, s.layer, s.kind, s.tags_sealed, \
        s.keep_last, s.mail, s.version, s.created_at, s.updated_at, s.next_run_at, s.last_run_at, \
        schedule_covered_to(s.tenant_id, s.user_id, s.id, s.covered_to), s.pause_reason, s.failures, s.error_code, s.error_at
        """
}

extension ExportSchedule {
    init(_ row: Row) throws(DatabaseError) {
        guard
            let timing = ScheduleTiming(
                rule: try row.text(1), startsOn: try row.day(2), hour: try row.int(3), minute: try row.int(4), timeZone: try row.text(5))
        else { throw DatabaseError(.decoding) }
        self.init(
            id: ExportScheduleID(try row.uuid(0)),
            terms: ScheduleTerms(
                timing: timing, covers: try row.known(6),
                contents: ExportContents(
                    includeAudio: try row.bool(7), formats: Set(try row.texts(8).compactMap { ExportFormat(rawValue: $0) }),
                    layer: try row.known(9)),
                kind: try row.knownOrNil(10), tags: [], keepLast: try row.intOrNil(12).map { Int($0) }, mail: try row.bool(13)),
            sealedTags: try row.bytesOrNil(11), version: try row.int(14), createdAt: try row.date(15), updatedAt: try row.date(16),
            nextRunAt: try row.dateOrNil(17), lastRunAt: try row.dateOrNil(18),
            coveredTo: try row.isNull(19) ? nil : CalendarDay(try row.day(19)), pauseReason: try row.knownOrNil(20),
            failures: Int(try row.int(21)), error: try row.knownOrNil(22), errorAt: try row.dateOrNil(23))
    }
}

extension ScheduleTiming {
    /// nil when what is stored is none: a hand has changed it.
    init?(rule: String, startsOn: String, hour: Int64, minute: Int64, timeZone: String) {
        guard let rule = try? RecurrenceRule(rule), let startsOn = CalendarDay(startsOn), let hour = Int(exactly: hour),
            let minute = Int(exactly: minute)
        else { return nil }
        self.init(rule: rule, startsOn: startsOn, hour: hour, minute: minute, timeZone: timeZone)
    }
}

extension ScheduleCoverage: StoredEnumeration { static let storedNames = StoredNames<ScheduleCoverage>() }
extension ExportSchedule.PauseReason: StoredEnumeration { static let storedNames = StoredNames<ExportSchedule.PauseReason>() }
extension ScheduleFault: StoredEnumeration { static let storedNames = StoredNames<ScheduleFault>() }
