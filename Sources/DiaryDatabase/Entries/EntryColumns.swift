import DiaryCore
import FoundationEssentials
import PostgresClient

/// The columns of an entry, in the order that `StoredEntry(row:at:)` reads them.
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

    /// Columns that a view reads, under the names of `returning`.
    static func list(_ view: EntryView) -> String {
        switch view {
        case .full: list
        case .summary: list(without: "machine")
        }
    }

    /// Columns of the feed, where an entry in the trash is a tombstone.
    static func feed(_ view: EntryView) -> String {
        list(view).split(separator: ", ").map { column in
            ["personal", "machine"].first { column == "e.\($0)" }.map { "case when e.deleted_at is null then e.\($0) end as \($0)" }
                ?? String(column)
        }.joined(separator: ", ")
    }

    /// Of the trash, with the day by the owner's present `day_ends_at`: a change of it leaves tombstones of the feed as they are. `$1` and
    /// `$2` are tenant and user.
    static func trash(_ view: EntryView) -> String {
        let minute = "(select u.day_ends_minute from users u where u.tenant_id = $1 and u.id = $2)"
        return list(view).split(separator: ", ").map { column in
            column == "e.local_date"
                ? "coalesce(diary_day(e.recorded_local, \(minute)), e.local_date) as local_date" : String(column)
        }.joined(separator: ", ")
    }

    static let withoutTexts = list(without: "personal", "machine")

    /// With NULL in place of sealed parts.
    private static func list(without parts: String...) -> String {
        list.split(separator: ", ").map { column in
            parts.first { column == "e.\($0)" }.map { "null::bytea as \($0)" } ?? String(column)
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
    fileprivate init(_ row: Row, at first: Int) throws(DatabaseError) {
        self.init(
            position: try row.intOrNil(first).map { Int(clamping: $0) }, waitSeconds: try row.doubleOrNil(first + 1),
            percent: try row.intOrNil(first + 2).map { Int(clamping: $0) })
    }
}

extension StoredEntry {
    /// - Parameter place: where the columns of `queue_place` begin.
    init(_ row: Row, at first: Int = 0, place: Int? = nil) throws(DatabaseError) {
        let local = try row.localTimestamp(first + 6)
        let personal = try row.sealedOrNil(first + 16)
        let machine = try row.sealedOrNil(first + 18)
        let status: EntryStatus = try row.known(first + 2)
        guard let day = CalendarDay(try row.day(first + 24)) else { throw DatabaseError(.decoding, column: first + 24) }
        let facts = EntryFacts(
            id: EntryID(try row.uuid(first)), kind: try row.known(first + 1), status: status,
            processing: try Self.processing(row, first, status, place), recordedAt: try row.date(first + 4),
            timeZone: try row.text(first + 5),
            localTime: LocalTime(
                year: local.year, month: local.month, day: local.day, hour: local.hour, minute: local.minute, second: local.second),
            day: day, createdAt: try row.date(first + 7), updatedAt: try row.date(first + 8), deletedAt: try row.dateOrNil(first + 9),
            durationSeconds: try row.doubleOrNil(first + 10), sizeBytes: try row.intOrNil(first + 11),
            contentType: try row.textOrNil(first + 12),
            sha256: try row.bytesOrNil(first + 13), language: try row.textOrNil(first + 14), object: try row.uuidOrNil(first + 15),
            changeNumber: try row.int(first + 3), favorite: try row.bool(first + 25),
            uploadExpiresAt: status == .awaitingUpload ? try row.dateOrNil(first + 26) : nil, keepAudio: try row.bool(first + 27),
            audioRemovedAt: try row.dateOrNil(first + 28), trashEndsAt: try row.dateOrNil(first + 29))
        let personalVersion = try row.int(first + 17)
        let machineVersion = try row.int(first + 19)
        self.init(
            facts: facts, personal: personal.map { SealedColumn($0, version: personalVersion) },
            machine: machine.map { SealedColumn($0, version: machineVersion) })
    }

    private static func processing(
        _ row: Row, _ first: Int, _ status: EntryStatus, _ place: Int?
    ) throws(DatabaseError) -> Processing? {
        // A stage of a later version is not shown.
        guard let stage = try row.textOrNil(first + 20).map(JobKind.init(rawValue:)), JobCatalogue.diary[stage] != nil else { return nil }
        let code: ProcessingCode? = try row.knownOrNil(first + 23)
        // A finished entry shows a run that failed: it has the texts of before.
        if status == .transcribed, code == nil { return nil }
        return Processing(
            stage: stage, attempt: Int(try row.int(first + 21)), nextAttemptAt: try row.dateOrNil(first + 22), code: code,
            action: ProcessingAction(status, stage: stage, code: code, hasDigest: try !row.isNull(first + 13)),
            place: try place.map { place throws(DatabaseError) in try QueuePlace(row, at: place) })
    }
}

/// The columns of a recording's copy, in the order that `PlayableCopy(row:at:)` reads them.
enum CopyColumns {
    static let list = "r.object_id, r.size_bytes, r.sha256, r.removed_bytes is null"

    static let count = 4

    /// - Parameter entry: an alias of a row with the entry's keys.
    static func join(_ entry: String) -> String {
        "left join entry_renditions r on r.tenant_id = \(entry).tenant_id and r.user_id = \(entry).user_id and r.entry_id = \(entry).id"
    }
}

extension StoredRecording {
    /// - Parameter copy: where `CopyColumns` begin.
    init(_ row: Row, at first: Int = 0, copyAt copy: Int) throws(DatabaseError) {
        self.init(
            entry: try StoredEntry(row, at: first),
            copy: try row.uuidOrNil(copy).map { object throws(DatabaseError) in
                PlayableCopy(
                    object: object, sizeBytes: try row.int(copy + 1), sha256: try row.bytes(copy + 2),
                    isOriginalKept: try row.bool(copy + 3))
            })
    }
}
