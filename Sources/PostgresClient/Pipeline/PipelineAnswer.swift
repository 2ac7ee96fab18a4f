import CLibpq

/// Collects the results of one pipeline in the order they were sent.
struct PipelineAnswer {
    enum Progress {
        case more
        /// The sync was answered: the transaction has ended.
        case complete
        case broken
    }

    private let statements: [Statement]
    private let steps: [PipelineStep]
    private var rows: [Rows] = []
    private var cursor = 0
    private var emptyResults = 0
    var error: DatabaseError?

    init(statements: [Statement] = [], steps: [PipelineStep] = []) {
        self.statements = statements
        self.steps = steps
        rows.reserveCapacity(statements.count)
    }

    var result: Result<[Rows], DatabaseError> {
        if let error { return .failure(error) }
        // Fewer answers than statements would be a fault of the protocol.
        return rows.count == statements.count ? .success(rows) : .failure(DatabaseError(.unavailable, outcomeUnknown: true))
    }

    /// Takes ownership of the result. In pipeline mode nil ends one message's results; two in a row mean that nothing more follows.
    mutating func take(_ result: OpaquePointer?, into prepared: inout PreparedStatements) -> Progress {
        guard let result else {
            emptyResults += 1
            cursor += 1
            return emptyResults > 1 ? .broken : .more
        }
        emptyResults = 0
        var isKept = false
        defer { if !isKept { PQclear(result) } }
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            return .complete
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            guard steps.indices.contains(cursor) else { return .broken }
            let step = steps[cursor]
            if let name = step.preparing {
                prepared.insert(name, for: statements[step.statement])
            } else {
                isKept = true
                rows.append(Rows(storage: RowStorage(owning: result)))
            }
            return .more
        case PGRES_PIPELINE_ABORTED:
            return .more
        case PGRES_FATAL_ERROR:
            if error == nil {
                error = DatabaseError(result: result, statementIndex: steps.indices.contains(cursor) ? steps[cursor].statement : nil)
            }
            return .more
        default:
            // COPY and the like cannot run in a pipeline.
            if error == nil {
                error = DatabaseError(
                    .statement(sqlstate: "0A000"), statementIndex: steps.indices.contains(cursor) ? steps[cursor].statement : nil)
            }
            return .broken
        }
    }
}

extension DatabaseError {
    /// Reads only fields that hold no values. Without SQLSTATE the error is libpq's own: the connection is gone.
    init(result: OpaquePointer, statementIndex: Int?) {
        func field(_ code: Int32) -> String? {
            PQresultErrorField(result, code).map { String(cString: $0) }
        }
        guard let code = field(DiagnosticField.sqlstate) else {
            self.init(.unavailable, outcomeUnknown: true)
            return
        }
        let kind = SQLState(code: code).kind(
            constraint: field(DiagnosticField.constraint), table: field(DiagnosticField.table), column: field(DiagnosticField.column))
        // The server answers in order: a termination notice in place of a statement's answer came before the commit.
        self.init(
            kind, sqlstate: code, statementIndex: statementIndex, position: field(DiagnosticField.position).flatMap { Int($0) },
            outcomeUnknown: kind == .unavailable && statementIndex == nil)
    }
}

/// `PG_DIAG_…` of libpq's header: characters, which Swift does not import.
enum DiagnosticField {
    static let sqlstate = Int32(UInt8(ascii: "C"))
    static let position = Int32(UInt8(ascii: "P"))
    static let constraint = Int32(UInt8(ascii: "n"))
    static let table = Int32(UInt8(ascii: "t"))
    static let column = Int32(UInt8(ascii: "c"))
}
