package import DiaryCore
import ZipArchive

/// Why a job's work ended before it was done. `init(any:)` maps all errors of jobs to outcomes: those that several jobs meet here, those of
/// one job in its own file (`ZipError` in BuildExport.swift, `MailFailure` in SendMail.swift).
package struct JobStop: Error, Sendable, Equatable {
    package let outcome: JobOutcome
    /// For the log: constant words and numbers only.
    package var cause: String?
}

extension JobStop {
    package static func discard(_ code: ProcessingCode) -> JobStop { JobStop(outcome: .discard(code)) }
    package static func retry(_ code: ProcessingCode, cause: String? = nil) -> JobStop {
        JobStop(outcome: .retry(code, after: nil), cause: cause)
    }
    package static let abandoned = JobStop(outcome: .abandoned)

    /// `ownerGone` at the beginning: the store has ended the job.
    package init(beginning error: WorkError) {
        switch error {
        case .leaseLost, .ownerGone: self = .abandoned
        case .unavailable(let error): self.init(error)
        }
    }

    /// `ownerGone` at the end: the key is no longer the live one. Abandoned, the job would stay leased.
    package init(finishing error: WorkError) {
        switch error {
        case .leaseLost: self = .abandoned
        case .ownerGone: self = .discard(.gone)
        case .unavailable(let error): self.init(error)
        }
    }

    package init(_ error: DiaryError) {
        switch error.code {
        // The data key was destroyed with the account.
        case .notFound: self = .discard(.gone)
        case .unavailable, .overloaded:
            self.init(outcome: .retry(.databaseUnavailable, after: error.retryAfter.map(Double.init)), cause: error.description)
        default: self.init(outcome: .retry(.unexpected, after: nil), cause: error.description)
        }
    }

    package init(_ failure: ProviderFailure) {
        switch failure.treatment {
        case .retry where failure.isWait, .configuration where failure.isWait:
            self.init(outcome: .wait(failure.code, after: failure.retryAfter ?? 0), cause: failure.description)
        // A full folder, or a sandbox that does not start, fails every job of this worker alike.
        case .retry where failure.isOutage && !failure.isTry, .retry where failure.code == .storageUnavailable && !failure.isFromEngine:
            self.init(outcome: .outage(failure.code), cause: failure.description)
        case .retry: self.init(outcome: .retry(failure.code, after: failure.retryAfter), cause: failure.description)
        case .permanent: self.init(outcome: .discard(failure.code), cause: failure.description)
        case .configuration: self.init(outcome: .retryLater(failure.code), cause: failure.description)
        }
    }

    /// A store that is down fails every job alike and counts no try. A missing or damaged object does count one.
    package init(_ error: ObjectStoreError) {
        let outcome: JobOutcome =
            switch error {
            case .unavailable: .outage(.storageUnavailable)
            case .missing, .alreadyExists, .lengthMismatch, .checksumMismatch, .damaged: .retry(.storageUnavailable, after: nil)
            }
        self.init(outcome: outcome, cause: "object store: \(error)")
    }

    /// What becomes of a job whose work threw `error`. A `WorkError` of the work's beginning comes as a `JobStop` (`beginning`).
    package init(any error: any Error) {
        switch error {
        case let stop as JobStop: self = stop
        case let error as WorkError: self.init(finishing: error)
        case let error as DiaryError: self.init(error)
        case let error as ProviderFailure: self.init(error)
        case let error as ObjectStoreError: self.init(error)
        case let error as ZipError: self.init(error)
        case let error as MailFailure: self.init(error)
        case let refusal as ImportArchive.Refusal: self.init(outcome: .discard(refusal.code), cause: refusal.cause)
        case is CancellationError: self.init(outcome: .retry(.unexpected, after: nil), cause: "cancelled")
        case is FailpointError: self.init(outcome: .retry(.unexpected, after: nil), cause: "failpoint")
        // The type's name, never the description: an unknown error may repeat a diary's words.
        default: self.init(outcome: .retry(.unexpected, after: nil), cause: String(describing: type(of: error)))
        }
    }
}

/// A call at a job's beginning, where `ownerGone` says that the store has ended the job.
func beginning<Value>(_ call: () async throws -> Value) async throws -> Value {
    do { return try await call() } catch let error as WorkError { throw JobStop(beginning: error) }
}
