import DiaryCore
import FoundationEssentials
import PostgresClient

enum ScheduleColumns {
    static let list = """
        s.id, s.every, s.weekday, s.day, s.month, s.at_minute, s.time_zone, s.covers, s.include_audio, s.formats, s.layer, s.kind, \
        s.keep_last, s.mail, s.tags_sealed, s.version, s.created_at, s.updated_at, s.next_at, s.last_at
        """
}

extension ExportSchedule {
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            id: ExportScheduleID(try row.uuid()),
            terms: ScheduleTerms(
                timing: try ScheduleTiming(&row), covers: try row.known(),
                contents: ExportContents(includeAudio: try row.bool(), formats: try Set(stored: row.texts()), layer: try row.known()),
                kind: try row.knownOrNil(), tags: [], keepLast: try row.countOrNil(), mail: try row.bool()),
            sealedTags: try row.bytesOrNil(), version: try row.int(), createdAt: try row.date(), updatedAt: try row.date(),
            nextAt: try row.dateOrNil(), lastAt: try row.dateOrNil())
    }
}

extension ScheduleTiming {
    /// From six columns: `every`, `weekday`, `day`, `month`, `at_minute`, `time_zone`.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            every: try row.known(), weekday: try row.knownOrNil(), day: try row.countOrNil(), month: try row.countOrNil(),
            minute: try row.count(), timeZone: try row.text())
    }
}

extension ScheduleTiming.Every: StoredEnumeration { static let storedNames = StoredNames<ScheduleTiming.Every>() }
extension ScheduleTiming.Weekday: StoredEnumeration { static let storedNames = StoredNames<ScheduleTiming.Weekday>() }
extension ScheduleCoverage: StoredEnumeration { static let storedNames = StoredNames<ScheduleCoverage>() }
