package import DiaryCore
package import PostgresClient

extension DatabaseError {
    /// The client's error. The cause goes to the log: kinds and SQLSTATEs, no values.
    package var forClient: DiaryError {
        switch kind {
        case .unavailable, .timeout, .serialization, .closed, .cancelled: .unavailable(cause: description)
        // begin_member, begin_token: the session or the token has ended. bump_change: the account's key is not the live one, so the account is being erased.
        case .raised("DI401"), .raised("DI409"): DiaryError(.unauthorized, cause: description)
        case .raised("DI405"): DiaryError(.reauthenticationRequired, cause: description)
        case .raised("DI403"): DiaryError(.appSuspended, cause: description)
        // bump_change_within.
        case .raised("DI452"): DiaryError(.storageExceeded, cause: description)
        // bump_change_for_recording.
        case .raised("DI453"): DiaryError(.duplicateRecording, cause: description)
        // take_challenge: never issued, expired, or used up.
        case .raised("DI420"): DiaryError(.tokenRefused, cause: description)
        // Another request with the same key has succeeded meanwhile.
        case .constraint("idempotency_keys_pk"): DiaryError(.concurrentChange, retryAfter: 1, cause: description)
        // The account was erased during this request.
        case .constraint(let name) where name.hasSuffix("_user_fk"): DiaryError(.unauthorized, cause: description)
        // The app was erased during this request.
        case .constraint(let name) where name.hasSuffix("_tenant_fk"): DiaryError(.appUnknown, cause: description)
        // `at time zone` with an unknown zone.
        case .statement("22023"): DiaryError(.invalidFields, fields: [.init("/time_zone", "is not a known time zone")], cause: description)
        // A time outside the range of the database's calendar.
        case .statement("22008"), .encoding:
            DiaryError(.invalidFields, fields: [.init("/recorded_at", "is out of range")], cause: description)
        default: DiaryError(.internalError, cause: description)
        }
    }

    /// The worker's error.
    var forWorker: WorkError {
        switch kind {
        case .raised("DI410"): .leaseLost
        // expect_corrections: repeated with the present ones.
        case .raised("DI412"): .unavailable(.unavailable(cause: description))
        case .raised("DI409"), .raised("DI404"): .ownerGone
        case .constraint(let name) where name.hasSuffix("_user_fk"): .ownerGone
        default: .unavailable(forClient)
        }
    }
}

/// What a store throws in the place of a `DatabaseError`.
protocol DatabaseFailure: Error {
    init(_ error: DatabaseError)
}

extension DatabaseFailure {
    /// Of a transaction and what reads its rows, where a store may also throw its own.
    init(any error: any Error) {
        switch error {
        case let error as Self: self = error
        case let error as DatabaseError: self.init(error)
        default: self.init(DatabaseError(.decoding))
        }
    }
}

extension DiaryError: DatabaseFailure {
    init(_ error: DatabaseError) { self = error.forClient }
}

extension WorkError: DatabaseFailure {
    init(_ error: DatabaseError) { self = error.forWorker }
}
