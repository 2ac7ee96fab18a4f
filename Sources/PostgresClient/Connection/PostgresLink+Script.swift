import CLibpq

extension PostgresLink {
    /// Runs several statements by the simple protocol, outside of pipeline mode. They are one implicit transaction unless the
    /// script says otherwise.
    func runScript(
        _ sql: String, wakeup: EventDescriptor, until deadline: ContinuousClock.Instant?, isAbandoned: () -> Bool
    ) -> PipelineOutcome {
        func failed(_ error: DatabaseError, isReusable: Bool = false) -> PipelineOutcome {
            PipelineOutcome(result: .failure(error), isReusable: isReusable)
        }
        guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else { return failed(DatabaseError(.unavailable)) }
        var first: DatabaseError?
        var isFlushed = false
        reading: while true {
            while PQisBusy(handle) == 0 {
                guard let result = PQgetResult(handle) else { break reading }
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
                case PGRES_FATAL_ERROR: first = first ?? DatabaseError(result: result, statementIndex: nil)
                default: return failed(first ?? DatabaseError(.statement(sqlstate: "0A000")))
                }
            }
            if !isFlushed {
                let status = PQflush(handle)
                if status < 0 { return failed(first ?? DatabaseError(.unavailable, outcomeUnknown: true)) }
                isFlushed = status == 0
            }
            if pending_in_tls(handle) > 0 {
                guard consume() else { return failed(first ?? DatabaseError(.unavailable, outcomeUnknown: true)) }
                continue
            }
            let wait = SocketWait.wait(socket: socket, writing: !isFlushed, wakeup: wakeup, until: deadline)
            if wait.woken, isAbandoned() { return failed(DatabaseError(.cancelled, outcomeUnknown: true)) }
            if wait.readable, !consume() {
                return failed(first ?? DatabaseError(.unavailable, outcomeUnknown: true))
            }
            if wait.timedOut, let deadline, ContinuousClock.now >= deadline {
                return failed(DatabaseError(.timeout, outcomeUnknown: true))
            }
        }
        lastUsed = .now
        let isUsable = PQstatus(handle) == CONNECTION_OK && PQenterPipelineMode(handle) == 1
        if let first { return failed(first, isReusable: isUsable) }
        return isUsable
            ? PipelineOutcome(result: .success([]), isReusable: true) : failed(DatabaseError(.unavailable, outcomeUnknown: true))
    }
}
