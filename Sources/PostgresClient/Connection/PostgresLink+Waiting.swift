extension PostgresLink {
    /// Runs the statements as one transaction and blocks the thread until the answer.
    func run(
        _ statements: [Statement], wakeup: EventDescriptor, until deadline: ContinuousClock.Instant?, isAbandoned: () -> Bool
    ) -> PipelineOutcome {
        var progress = begin(statements)
        while true {
            switch progress {
            case .finished(let outcome):
                lastUsed = .now
                return outcome
            case .waiting(let forSpace):
                let wait = SocketWait.wait(socket: socket, writing: forSpace, wakeup: wakeup, until: deadline)
                if wait.woken, isAbandoned() { return givenUp(.cancelled) }
                if wait.timedOut, let deadline, ContinuousClock.now >= deadline { return givenUp(.timeout) }
                progress = advance(readable: wait.readable)
            }
        }
    }

    /// The statements may still run on the server, so the connection cannot be reused.
    func givenUp(_ kind: DatabaseError.Kind) -> PipelineOutcome {
        PipelineOutcome(result: .failure(DatabaseError(kind, outcomeUnknown: true)), isReusable: false)
    }
}
