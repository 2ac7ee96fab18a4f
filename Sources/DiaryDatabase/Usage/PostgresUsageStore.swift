package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// What engines used, by the database role `diary_worker`, through functions that lock the account's row of the day, then the app's.
package struct PostgresUsageStore: UsageStore {
    let transaction: OwnerTransaction

    package func reserve(
        _ reservation: UsageReservation, within limits: UsageLimits, of owner: Owner, at now: Date
    ) async throws(WorkError) -> ReservationOutcome {
        let amount = reservation.amount
        let parameters: [Parameter] =
            owner.parameters + [
                .uuid(reservation.id), .timestamp(now), .int(amount.audioMilliseconds), .int(amount.tokens), .int(amount.cost),
                .double(reservation.seconds), .int(limits.minutesPerDay.map { $0 &* 60_000 }),
                .int(limits.tokensPerDay), .int(limits.costPerDay), .int(limits.appCostPerDay),
            ]
        let statement = Statement(
            "select refusal, again_at from reserve_usage($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)", parameters)
        return try await transaction.forWorker(owner).run([statement]) { rows in
            guard var row = rows.first(0) else { throw DatabaseError(.decoding) }
            return switch (try row.textOrNil(), try row.dateOrNil()) {
            case (nil, _): .reserved
            case ("used", let until?): .usedUp(until: until)
            case ("held", let until?): .heldByOthers(until: until)
            default: .tooLarge
            }
        }
    }

    package func settle(_ reservation: UUID?, used: UsageAmount?, of owner: Owner, at now: Date) async throws(WorkError) {
        let amount = used ?? UsageAmount()
        try await transaction.forWorker(owner).run(
            "select settle_usage($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            owner.parameters + [
                .uuid(reservation), .timestamp(now), .bool(used != nil), .int(amount.audioMilliseconds),
                .int(amount.inputTokens), .int(amount.outputTokens), .int(amount.cost),
            ])
    }
}

extension PostgresUsageStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
