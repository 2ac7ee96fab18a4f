import DiaryCore
import FoundationEssentials
import PostgresClient

enum ScheduleColumns {
    static let list = """
        s.id, s.every, s.weekday, s.day, s.month, s.at_minute, s.time_zone, s.covers, s.include_audio, s.formats, s.layer, s.kind, \
        s.tags_sealed, s.keep_last, s.mail, s.version, s.created_at, s.updated_at, s.next_at, s.last_at
        """
}

extension ExportSchedule {
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: ExportScheduleID(try row.uuid(0)),
            terms: ScheduleTerms(
                timing: try ScheduleTiming(row, at: 1), covers: try row.known(7),
                contents: ExportContents(
                    includeAudio: try row.bool(8), formats: try Set(stored: row.texts(9)), layer: try row.known(10)),
                kind: try row.knownOrNil(11), tags: [], keepLast: try row.intOrNil(13).map { Int($0) }, mail: try row.bool(14)),
            sealedTags: try row.bytesOrNil(12), version: try row.int(15), createdAt: try row.date(16), updatedAt: try row.date(17),
            nextAt: try row.dateOrNil(18), lastAt: try row.dateOrNil(19))
    }
}

extension ScheduleTiming {
    /// From six columns: `every`, `weekday`, `day`, `month`, `at_minute`, `time_zone`.
    init(_ row: Row, at first: Int) throws(DatabaseError) {
        self.init(
            every: try row.known(first), weekday: try row.knownOrNil(first + 1), day: try row.intOrNil(first + 2).map { Int($0) },
            month: try row.intOrNil(first + 3).map { Int($0) }, minute: Int(try row.int(first + 4)), timeZone: try row.text(first + 5))
    }
}

extension ScheduleTiming.Every: StoredEnumeration { static let storedNames = StoredNames<ScheduleTiming.Every>() }
extension ScheduleTiming.Weekday: StoredEnumeration { static let storedNames = StoredNames<ScheduleTiming.Weekday>() }
extension ScheduleCoverage: StoredEnumeration { static let storedNames = StoredNames<ScheduleCoverage>() }
