import DiaryCore
import FoundationEssentials
import PostgresClient

/// The two steps of a job on an entry's texts, for several jobs in one transaction (migration 0064).
struct GatheredSteps: Sendable {
    enum Step: Sendable {
        case begin(LeasedJob, EntryStage)
        case finish(LeasedJob, SealedResult, Successor)
    }

    enum Answer: Sendable {
        case begun(HeardEntry)
        case finished
    }

    /// What comes after the job: of its entry, and the kind of the next job.
    struct Successor: Sendable {
        let status: EntryStatus
        let stage: JobKind?
        let kind: JobKind?
    }

    /// Bytes from which a result goes alone.
    private static let longResult = 65_536

    private let calls: GatheredCalls<Step, Answer>

    init(pool: ConnectionPool) {
        calls = GatheredCalls { steps throws(DatabaseError) in try await Self.send(steps, pool) }
    }

    /// - Returns: nil when the job must begin alone.
    func begin(_ job: LeasedJob, _ stage: EntryStage) async throws(DatabaseError) -> HeardEntry? {
        guard case .begun(let heard)? = try await calls.answer(.begin(job, stage)) else { return nil }
        return heard
    }

    /// - Returns: false when the job must finish alone.
    func finish(_ job: LeasedJob, _ machine: SealedResult, _ next: Successor) async throws(DatabaseError) -> Bool {
        guard machine.sealed.count < Self.longResult else { return false }
        guard case .finished? = try await calls.answer(.finish(job, machine, next)) else { return false }
        return true
    }

    /// - Returns: an answer for each step; nil when it must go alone.
    static func send(_ steps: [Step], _ pool: ConnectionPool) async throws(DatabaseError) -> [Answer?] {
        var begins: [(place: Int, job: LeasedJob, stage: EntryStage)] = []
        var finishes: [(place: Int, job: LeasedJob, machine: SealedResult, next: Successor)] = []
        for (place, step) in steps.enumerated() {
            switch step {
            case .begin(let job, let stage): begins.append((place, job, stage))
            case .finish(let job, let machine, let next): finishes.append((place, job, machine, next))
            }
        }
        let beginning = Statement(
            """
            select b.place, b.segments, b.segments_version, b.corrections, b.corrections_version, b.corrected_segments_version,
                \(EntryColumns.list), e.rerun_from, e.asked_engine, e.asked_language, b.copy_object, b.copy_bytes, b.copy_sha256,
                b.is_original_kept
            from begin_heard_entries($1, $2, $3, $4) b cross join lateral (select (b.entry).*) e
            """,
            [
                .uuids(begins.map(\.job.id.uuid)), .ints(begins.map { Int64($0.job.attempt) }),
                .texts(begins.map(\.stage.running.rawValue)), .ints(begins.map { Int64($0.job.errors) + 1 }),
            ])
        let finishing = Statement(
            "select * from finish_machines($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                .uuids(finishes.map(\.job.id.uuid)), .ints(finishes.map { Int64($0.job.attempt) }),
                .uuids(finishes.map(\.machine.keyID)), .byteArrays(finishes.map(\.machine.sealed)),
                .ints(finishes.map(\.machine.version)), .texts(finishes.map(\.next.status.rawValue)),
                .texts(finishes.map { $0.next.stage?.rawValue ?? "" }), .uuids(finishes.map { _ in UUIDv7.make() }),
                .texts(finishes.map { $0.next.kind?.rawValue ?? "" }), .double(JobCost.small),
            ])
        var rows = try await pool.run((finishes.isEmpty ? [] : [finishing]) + (begins.isEmpty ? [] : [beginning]))[...]
        var answers = [Answer?](repeating: nil, count: steps.count)
        if !finishes.isEmpty {
            try note(rows.popFirst(), of: finishes.map(\.place), in: &answers) { _ in .finished }
        }
        if !begins.isEmpty {
            try note(rows.popFirst(), of: begins.map(\.place), in: &answers) { row throws(DatabaseError) in .begun(try HeardEntry(row)) }
        }
        return answers
    }

    /// - Parameters:
    ///   - rows: their first column is the place among the statement's jobs, from 1.
    ///   - places: of these jobs among all.
    private static func note(
        _ rows: Rows?, of places: [Int], in answers: inout [Answer?], _ answer: (Row) throws(DatabaseError) -> Answer
    ) throws(DatabaseError) {
        guard let rows else { return }
        for row in rows {
            guard let place = Int(exactly: try row.int(0) - 1), places.indices.contains(place) else {
                throw DatabaseError(.decoding, column: 0)
            }
            // What does not decode goes alone, which tells why.
            answers[places[place]] = try? answer(row)
        }
    }
}

extension HeardEntry {
    /// Columns: see `GatheredSteps.send`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let first = 6
        let run = first + EntryColumns.count
        var entry = try StoredEntry(row, at: first, copyAt: run + 3)
        entry.run = try EntryRun(row, at: run)
        let segments = try row.bytesOrNil(1)
        let corrections = try row.bytesOrNil(3)
        self.init(
            entry: entry,
            segments: try segments.map { bytes throws(DatabaseError) in SealedColumn(bytes: bytes, version: try row.int(2)) },
            corrections: try corrections.map { bytes throws(DatabaseError) in
                StoredCorrections(sealed: SealedColumn(bytes: bytes, version: try row.int(4)), segmentsVersion: try row.int(5))
            })
    }
}

extension EntryRun {
    /// `rerun_from`, `asked_engine` and `asked_language`.
    init(_ row: Row, at first: Int) throws(DatabaseError) {
        self.init(
            rerunFrom: try row.textOrNil(first).map { JobKind(rawValue: $0) }, engine: try row.textOrNil(first + 1),
            language: try row.textOrNil(first + 2))
    }
}
