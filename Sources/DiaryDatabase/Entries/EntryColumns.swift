import DiaryCore
import FoundationEssentials
import PostgresClient

/// The columns of an entry, in the order that `StoredEntry(&row)` reads them.
enum EntryColumns {
    static let list = """
        e.id, e.kind, e.status, e.change_number, e.recorded_at, e.time_zone, e.recorded_local, e.created_at, e.updated_at, e.deleted_at, \
        e.duration_s, e.size_bytes, e.content_type, e.sha256, e.language, e.object_id, e.personal, e.personal_version, e.machine, \
        e.machine_version, e.stage, e.stage_attempt, e.stage_next_at, e.stage_code, e.local_date, e.favorite, e.upload_expires_at, \
        e.keep_audio, e.audio_removed_at, e.trash_ends_at
        """

    /// The same without an alias, for `returning`.
    static let returning = list.replacing("e.", with: "")
    static let count = 30

    /// Columns of the feed, where an entry in the trash is a tombstone.
    static let feed = parts { "case when e.deleted_at is null then e.\($0) end" }

    /// Of the trash, with the day by the owner's present `day_ends_at`: a change of it leaves tombstones of the feed as they are. `$1` and
    /// `$2` are tenant and user.
    static let trash: String = {
        let minute = "(select u.day_ends_minute from users u where u.tenant_id = $1 and u.id = $2)"
        return list.split(separator: ", ").map { column in
            column == "e.local_date"
                ? "coalesce(diary_day(e.recorded_local, \(minute)), e.local_date) as local_date" : String(column)
        }.joined(separator: ", ")
    }()

    static let withoutTexts = parts { _ in "null::bytea" }
    static let withoutMachine = parts { $0 == "personal" ? "e.personal" : "null::bytea" }

    /// With another expression in place of each sealed part.
    private static func parts(_ expression: (String) -> String) -> String {
        list.split(separator: ", ").map { column in
            ["personal", "machine"].first { column == "e.\($0)" }.map { "\(expression($0)) as \($0)" } ?? String(column)
        }.joined(separator: ", ")
    }
}

extension String {
    fileprivate func replacing(_ prefix: String, with other: String) -> String {
        split(separator: ", ", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(prefix) ? other + $0.dropFirst(prefix.count) : String($0) }.joined(separator: ", ")
    }
}

extension QueuePlace {
    fileprivate init(_ row: inout Row) throws(DatabaseError) {
        self.init(position: try row.countOrNil(), waitSeconds: try row.doubleOrNil(), percent: try row.countOrNil())
    }
}

extension StoredEntry {
    /// - Parameter withPlace: the columns of `queue_place` follow.
    init(_ row: inout Row, withPlace: Bool = false) throws(DatabaseError) {
        // Pages have many of these: a copy that no other function gets is read by constant numbers.
        var columns = row
        row.skip(EntryColumns.count)
        let id = EntryID(try columns.uuid())
        let kind: EntryKind = try columns.known()
        let status: EntryStatus = try columns.known()
        let changeNumber = try columns.int()
        let recordedAt = try columns.date()
        let timeZone = try columns.text()
        let local = try columns.localTimestamp()
        let (createdAt, updatedAt, deletedAt) = (try columns.date(), try columns.date(), try columns.dateOrNil())
        let (durationSeconds, sizeBytes) = (try columns.doubleOrNil(), try columns.intOrNil())
        let contentType = try columns.textOrNil()
        let sha256 = try columns.bytesOrNil()
        let language = try columns.textOrNil()
        let object = try columns.uuidOrNil()
        let personal = try columns.sealedColumnOrNil()
        let machine = try columns.sealedColumnOrNil()
        var processing: Processing?
        // A stage of a later version is not shown.
        if let stage = try columns.textOrNil().map(JobKind.init(rawValue:)), JobCatalogue.diary[stage] != nil {
            let (attempt, nextAttemptAt) = (try columns.int(), try columns.dateOrNil())
            let code: ProcessingCode? = try columns.knownOrNil()
            processing = Self.processing(status, stage, attempt, nextAttemptAt, code, hasDigest: sha256 != nil)
        } else {
            columns.skip(3)
        }
        if withPlace { processing?.place = try QueuePlace(&row) }
        let day = try columns.calendarDay()
        let favorite = try columns.bool()
        let uploadExpiresAt = try columns.dateOrNil()
        let facts = EntryFacts(
            id: id, kind: kind, status: status, processing: processing, recordedAt: recordedAt, timeZone: timeZone,
            localTime: LocalTime(
                year: local.year, month: local.month, day: local.day, hour: local.hour, minute: local.minute, second: local.second),
            day: day, createdAt: createdAt, updatedAt: updatedAt, deletedAt: deletedAt, durationSeconds: durationSeconds,
            sizeBytes: sizeBytes, contentType: contentType, sha256: sha256, language: language, object: object,
            changeNumber: changeNumber, favorite: favorite, uploadExpiresAt: status == .awaitingUpload ? uploadExpiresAt : nil,
            keepAudio: try columns.bool(), audioRemovedAt: try columns.dateOrNil(), trashEndsAt: try columns.dateOrNil())
        self.init(facts: facts, personal: personal, machine: machine)
    }

    private static func processing(
        _ status: EntryStatus, _ stage: JobKind, _ attempt: Int64, _ nextAttemptAt: Date?, _ code: ProcessingCode?, hasDigest: Bool
    ) -> Processing? {
        // A finished entry shows a run that failed: it has the texts of before.
        if status == .transcribed, code == nil { return nil }
        return Processing(
            stage: stage, attempt: Int(attempt), nextAttemptAt: nextAttemptAt, code: code,
            action: ProcessingAction(status, stage: stage, code: code, hasDigest: hasDigest))
    }
}

/// The columns of a recording's copy, in the order that `PlayableCopy(&row)` reads them.
enum CopyColumns {
    static let list = "r.object_id, r.size_bytes, r.sha256, r.removed_bytes is null"

    /// - Parameter entry: an alias of a row with the entry's keys.
    static func join(_ entry: String) -> String {
        "left join entry_renditions r on r.tenant_id = \(entry).tenant_id and r.user_id = \(entry).user_id and r.entry_id = \(entry).id"
    }
}

extension PlayableCopy {
    /// nil where there is none.
    init?(_ row: inout Row) throws(DatabaseError) {
        guard let object = try row.uuidOrNil() else {
            row.skip(3)
            return nil
        }
        self.init(object: object, sizeBytes: try row.int(), sha256: try row.bytes(), isOriginalKept: try row.bool())
    }
}

extension StoredRecording {
    /// From `EntryColumns` and `CopyColumns`.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(entry: try StoredEntry(&row), copy: try PlayableCopy(&row))
    }
}
