import CLibpq

/// One message of a pipeline that gets an answer.
struct PipelineStep {
    let statement: Int
    /// Set for the parse of a statement, which becomes this name.
    let preparing: String?
}

struct PipelineOutcome {
    var result: Result<[Rows], DatabaseError>
    /// The connection is drained and outside of any transaction. When false it must be thrown away.
    var isReusable: Bool
    /// A cached plan no longer fits the schema, and nothing was written: forget the plans and run again.
    var isStale = false
}

extension PostgresLink {
    /// Sends all statements and one sync, and reads until the sync's answer: one implicit transaction, one round trip.
    ///
    /// Rows come back only after the server has committed. The first error aborts the rest.
    func run(_ statements: [Statement], until deadline: ContinuousClock.Instant?, isAbandoned: () -> Bool) -> PipelineOutcome {
        let wasCached: Bool
        do {
            try parameters.fill(statements)
        } catch {
            return PipelineOutcome(result: .failure(error), isReusable: true)
        }
        do {
            wasCached = try send(statements)
        } catch {
            // Nothing was committed, for no sync was sent; what was queued cannot be taken back.
            return PipelineOutcome(result: .failure(error), isReusable: false)
        }
        var outcome = receive(statements, until: deadline, isAbandoned: isAbandoned)
        lastUsed = .now
        if outcome.isReusable, !mayHoldTransaction, PQtransactionStatus(handle) != PQTRANS_IDLE { outcome.isReusable = false }
        if wasCached, outcome.isReusable, case .failure(let error) = outcome.result, let code = error.sqlstate {
            outcome.isStale = SQLState(code: code).isStalePlan
        }
        return outcome
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

    private func receive(_ statements: [Statement], until deadline: ContinuousClock.Instant?, isAbandoned: () -> Bool) -> PipelineOutcome {
        var answer = PipelineAnswer(statements: statements, steps: steps)
        var isFlushed = false
        while true {
            while PQisBusy(handle) == 0 {
                switch answer.take(PQgetResult(handle), into: &prepared) {
                case .more: continue
                case .complete: return PipelineOutcome(result: answer.result, isReusable: true)
                case .broken: return lost(&answer)
                }
            }
            if !isFlushed {
                switch PQflush(handle) {
                case 0: isFlushed = true
                case 1: break
                default: return lost(&answer)
                }
            }
            let wait = SocketWait.wait(socket: socket, writing: !isFlushed, wakeup: wakeup, until: deadline)
            if wait.woken, isAbandoned() {
                return PipelineOutcome(result: .failure(DatabaseError(.cancelled, outcomeUnknown: true)), isReusable: false)
            }
            if wait.readable, PQconsumeInput(handle) == 0 { return lost(&answer) }
            if wait.timedOut, let deadline, ContinuousClock.now >= deadline {
                return PipelineOutcome(result: .failure(DatabaseError(.timeout, outcomeUnknown: true)), isReusable: false)
            }
        }
    }

    /// The connection broke. What the server had still said tells whether the transaction can have been committed.
    private func lost(_ answer: inout PipelineAnswer) -> PipelineOutcome {
        while PQisBusy(handle) == 0, case .more = answer.take(PQgetResult(handle), into: &prepared) {}
        if answer.error == nil { answer.error = DatabaseError(.unavailable, outcomeUnknown: true) }
        return PipelineOutcome(result: answer.result, isReusable: false)
    }
}
