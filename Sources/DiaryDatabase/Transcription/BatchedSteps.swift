import DiaryCore
import FoundationEssentials
import PostgresClient

/// How a job on an entry begins, and how one ends that writes the machine's part alone: SQL functions that take several jobs at once, of any
/// owners, and leave out those that something prevents (decision 0029).
struct BatchedSteps: Sendable {
    struct Begin: Sendable {
        let job: LeasedJob
        let stage: EntryStage
    }

    struct Finish: Sendable {
        let job: LeasedJob
        let machine: SealedResult
        /// The version of the owner's part that the result belongs to; nil: any.
        var personal: Int64?
        /// What the entry shows then.
        let status: EntryStatus
        let stage: JobKind?
        /// Of the next job.
        let next: JobKind?
        /// What the entry still waits for, in `stage`.
        let code: ProcessingCode?
    }

    enum Step: Sendable {
        case begin(Begin)
        case finish(Finish)
    }

    enum Answer: Sendable {
        case begun(HeardEntry)
        case finished
    }

    /// Bytes from which a result is written by itself (memory).
    private static let longResult = 65_536

    private let calls: BatchedCalls<Step, Answer>

    init(pool: ConnectionPool) {
        calls = BatchedCalls { steps throws(DatabaseError) in try await Self.send(steps, pool) }
    }

    /// - Returns: nil when the job must begin by itself.
    func begin(_ step: Begin) async throws(DatabaseError) -> HeardEntry? {
        guard case .begun(let heard)? = try await calls.answer(.begin(step)) else { return nil }
        return heard
    }

    /// - Returns: false when the job must end by itself.
    func finish(_ step: Finish) async throws(DatabaseError) -> Bool {
        guard step.machine.sealed.count < Self.longResult else { return false }
        guard case .finished? = try await calls.answer(.finish(step)) else { return false }
        return true
    }

    /// - Returns: an answer for each step; nil when it must be made by itself.
    static func send(_ steps: [Step], _ pool: ConnectionPool) async throws(DatabaseError) -> [Answer?] {
        var begins: [(place: Int, step: Begin)] = []
        var finishes: [(place: Int, step: Finish)] = []
        for (place, step) in steps.enumerated() {
            switch step {
            case .begin(let step): begins.append((place, step))
            case .finish(let step): finishes.append((place, step))
            }
        }
        var statements: [Statement] = []
        if !finishes.isEmpty {
            statements.append(Statement("select * from \(finishing(from: 1))", parameters(finishes.map(\.step))))
        }
        if !begins.isEmpty { statements.append(beginning(begins.map(\.step))) }
        let rows = try await pool.run(statements)
        var answers = [Answer?](repeating: nil, count: steps.count)
        if !finishes.isEmpty { try note(rows.first, of: finishes.map(\.place), in: &answers) { _ in .finished } }
        if !begins.isEmpty {
            try note(rows.last, of: begins.map(\.place), in: &answers) { .begun(try HeardEntry(&$0)) }
        }
        return answers
    }

    /// A row of a `HeardEntry` for each job that has begun, after its place among them, from 1.
    static func beginning(_ begins: [Begin]) -> Statement {
        Statement(
            """
            select b.place, b.segments, b.segments_version, b.corrections, b.corrections_version, b.corrected_segments_version,
                \(EntryColumns.list), e.rerun_from, e.asked_engine, e.asked_language, b.copy_object, b.copy_bytes, b.copy_sha256,
                b.is_original_kept
            from begin_entries($1, $2, $3, $4) b cross join lateral (select (b.entry).*) e
            """,
            [
                .uuids(begins.map(\.job.id.uuid)), .ints(begins.map { Int64($0.job.attempt) }),
                .texts(begins.map(\.stage.running.rawValue)), .ints(begins.map { Int64($0.job.errors) + 1 }),
            ])
    }

    /// SQL of a row for each job that has ended: its place among them, from 1.
    /// - Parameter first: the number of the first of `parameters`.
    static func finishing(from first: Int) -> String {
        let numbers = (first..<first + 12).map { "$\($0)" }
        return "finish_machines(\(numbers.joined(separator: ", ")))"
    }

    static func parameters(_ finishes: [Finish]) -> [Parameter] {
        [
            .uuids(finishes.map(\.job.id.uuid)), .ints(finishes.map { Int64($0.job.attempt) }), .uuids(finishes.map(\.machine.keyID)),
            .byteArrays(finishes.map(\.machine.sealed)), .ints(finishes.map(\.machine.version)), .texts(finishes.map(\.status.rawValue)),
            .texts(finishes.map { $0.stage?.rawValue ?? "" }), .uuids(finishes.map { _ in UUIDv7.make() }),
            .texts(finishes.map { $0.next?.rawValue ?? "" }), .texts(finishes.map { $0.code?.rawValue ?? "" }),
            .ints(finishes.map { $0.personal ?? -1 }), .double(JobCost.small),
        ]
    }

    /// - Parameters:
    ///   - rows: their first column is the place among the statement's jobs, from 1.
    ///   - places: of these jobs among all.
    private static func note(
        _ rows: Rows?, of places: [Int], in answers: inout [Answer?], _ answer: (inout Row) throws -> Answer
    ) throws(DatabaseError) {
        guard let rows else { return }
        for var row in rows {
            guard let place = Int(exactly: try row.int() - 1), places.indices.contains(place) else {
                throw DatabaseError(.decoding, column: 0)
            }
            // What does not decode is read again by itself, which tells why.
            answers[places[place]] = try? answer(&row)
        }
    }
}

extension HeardEntry {
    /// Columns: those of `BatchedSteps.beginning` after the place. Segments and corrections are copied: the job holds them for long.
    init(_ row: inout Row) throws(DatabaseError) {
        let (segments, segmentsVersion) = (try row.bytesOrNil(), try row.intOrNil())
        let (corrections, correctionsVersion, corrected) = (try row.bytesOrNil(), try row.intOrNil(), try row.intOrNil())
        let entry = try StoredEntry(&row)
        let run = try EntryRun(&row)
        let recording = StoredRecording(entry: entry, copy: try PlayableCopy(&row))
        self.init(recording: recording, run: run, segments: nil, corrections: nil)
        if let segments, let segmentsVersion { self.segments = SealedColumn(bytes: segments, version: segmentsVersion) }
        if let corrections, let correctionsVersion, let corrected {
            self.corrections = StoredCorrections(
                sealed: SealedColumn(bytes: corrections, version: correctionsVersion), segmentsVersion: corrected)
        }
    }
}

extension EntryRun {
    /// `rerun_from`, `asked_engine` and `asked_language`.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            rerunFrom: try row.textOrNil().map { JobKind(rawValue: $0) }, engine: try row.textOrNil(), language: try row.textOrNil())
    }
}
