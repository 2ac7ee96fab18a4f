import CLibpq

/// One message of a pipeline that gets an answer.
struct PipelineStep {
    let statement: Int
    /// Set for the parse of a statement, which becomes this name.
    let preparing: String?
}

struct PipelineOutcome {
    var result: Result<[Rows], DatabaseError>
    /// The connection is drained and outside of any transaction. When false it must be discarded.
    var isReusable: Bool
    /// A cached plan no longer fits the schema and nothing was written: discard the plans and run again.
    var isStale = false
}

/// Progress of the pipeline in flight.
enum PipelineProgress {
    /// Nothing more to read now; with `forSpace` something is also left to write.
    case waiting(forSpace: Bool)
    case finished(PipelineOutcome)
}

extension PostgresLink {
    /// Hands all statements and one sync to libpq and writes what the socket takes: one implicit transaction, one round trip.
    /// Never blocks.
    func begin(_ statements: [Statement]) -> PipelineProgress {
        do {
            try parameters.fill(statements)
        } catch {
            return .finished(PipelineOutcome(result: .failure(error), isReusable: true))
        }
        do {
            wasCached = try send(statements)
        } catch {
            // Nothing was committed because no sync was sent; queued messages cannot be withdrawn.
            return .finished(PipelineOutcome(result: .failure(error), isReusable: false))
        }
        answer = PipelineAnswer(statements: statements, steps: steps)
        isFlushed = false
        return flush()
    }

    private func flush() -> PipelineProgress {
        guard !isFlushed else { return .waiting(forSpace: false) }
        switch PQflush(handle) {
        case 0:
            isFlushed = true
            return .waiting(forSpace: false)
        case 1: return .waiting(forSpace: true)
        default: return .finished(lost())
        }
    }

    /// Reads what arrived and writes what was left, until the sync's answer. Never blocks.
    ///
    /// Rows are returned only after the server has committed. The first error aborts the rest.
    func advance(readable: Bool) -> PipelineProgress {
        var hasInput = readable
        while true {
            if hasInput, !consume() { return .finished(lost()) }
            while PQisBusy(handle) == 0 {
                switch answer.take(PQgetResult(handle), into: &prepared) {
                case .more: continue
                case .complete: return .finished(complete())
                case .broken: return .finished(lost())
                }
            }
            let progress = flush()
            // A flush that finds no space reads as well, and may leave the rest of a TLS record.
            guard case .waiting = progress, pending_in_tls(handle) > 0 else { return progress }
            hasInput = true
        }
    }

    private func complete() -> PipelineOutcome {
        var outcome = PipelineOutcome(result: answer.result, isReusable: true)
        answer = PipelineAnswer()
        if !mayHoldTransaction, PQtransactionStatus(handle) != PQTRANS_IDLE { outcome.isReusable = false }
        if wasCached, outcome.isReusable, case .failure(let error) = outcome.result, let code = error.sqlstate {
            outcome.isStale = SQLState(code: code).isStalePlan
        }
        return outcome
    }

    /// The connection broke. Messages already received show whether the transaction can have been committed.
    private func lost() -> PipelineOutcome {
        while PQisBusy(handle) == 0, case .more = answer.take(PQgetResult(handle), into: &prepared) {}
        if answer.error == nil { answer.error = DatabaseError(.unavailable, outcomeUnknown: true) }
        return PipelineOutcome(result: answer.result, isReusable: false)
    }

    /// - Returns: whether an already prepared statement is among them.
    private func send(_ statements: [Statement]) throws(DatabaseError) -> Bool {
        var wasCached = false
        steps.removeAll(keepingCapacity: true)
        for (index, statement) in statements.enumerated() {
            var name = prepared.name(of: statement)
            if name != nil {
                wasCached = true
            } else {
                name = pendingName(of: statement, in: statements)
            }
            if name == nil {
                let new = prepared.newName()
                let types = statement.parameters.map(\.type.rawValue)
                guard PQsendPrepare(handle, new, statement.sql, Int32(clamping: types.count), types) == 1 else { throw sendFailure(index) }
                steps.append(PipelineStep(statement: index, preparing: new))
                name = new
            }
            let sent = parameters.withPointers(of: index) { count, values, lengths, formats in
                PQsendQueryPrepared(handle, name ?? "", count, values, lengths, formats, 1)
            }
            guard sent == 1 else { throw sendFailure(index) }
            steps.append(PipelineStep(statement: index, preparing: nil))
        }
        guard PQpipelineSync(handle) == 1 else { throw DatabaseError(.unavailable, outcomeUnknown: true) }
        return wasCached
    }

    /// The same text twice in one pipeline is parsed once.
    private func pendingName(of statement: Statement, in statements: [Statement]) -> String? {
        for step in steps {
            guard let name = step.preparing, !name.isEmpty else { continue }
            let other = statements[step.statement]
            if other.sql == statement.sql, other.parameters.map(\.type) == statement.parameters.map(\.type) { return name }
        }
        return nil
    }

    private func sendFailure(_ index: Int) -> DatabaseError {
        DatabaseError(PQstatus(handle) == CONNECTION_OK ? .encoding : .unavailable, statementIndex: index)
    }
}
