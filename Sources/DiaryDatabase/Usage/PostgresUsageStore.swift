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
        do throws(DatabaseError) {
            let rows = try await transaction.run(
                owner,
                [Statement("select refusal, again_at from reserve_usage($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)", parameters)])
            guard let row = rows.first(0) else { throw DatabaseError(.decoding) }
            switch (try row.textOrNil(0), try row.dateOrNil(1)) {
            case (nil, _): return .reserved
            case ("used", let until?): return .usedUp(until: until)
            case ("held", let until?): return .heldByOthers(until: until)
            default: return .tooLarge
            }
        } catch {
            throw error.forWorker
        }
    }

    package func settle(_ reservation: UUID?, used: UsageAmount?, of owner: Owner, at now: Date) async throws(WorkError) {
        let amount = used ?? UsageAmount()
        do {
            _ = try await transaction.run(
                owner,
                [
                    Statement(
                        "select settle_usage($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                        owner.parameters + [
                            .uuid(reservation), .timestamp(now), .bool(used != nil), .int(amount.audioMilliseconds),
                            .int(amount.inputTokens), .int(amount.outputTokens), .int(amount.cost),
                        ])
                ])
        } catch {
            throw error.forWorker
        }
    }
}

extension PostgresUsageStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
