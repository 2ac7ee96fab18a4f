/// Why a job failed, as clients see it in `processing.code`. Stable strings; mirrored in openapi.yaml.
package enum ProcessingCode: String, Sendable, CaseIterable {
    case uploadMissing = "upload_missing"
    case uploadSizeMismatch = "upload_size_mismatch"
    case uploadHashMismatch = "upload_hash_mismatch"
    case uploadExpired = "upload_expired"
    case mediaUnreadable = "media_unreadable"
    case mediaUnsupported = "media_unsupported"
    case mediaTooLong = "media_too_long"
    case mediaLimits = "media_limits_exceeded"
    /// The recording stays. A change of the entry's language takes the code away.
    case languageUnsupported = "language_unsupported"
    case speechUnavailable = "speech_unavailable"
    case speechTimeout = "speech_timeout"
    /// The file's first bytes show a container that is not taken.
    case contentTypeMismatch = "content_type_mismatch"
    /// The engine answered, and the answer holds no transcript that can be read.
    case speechUnreadable = "speech_unreadable"
    /// An engine refused the service's key: an operator must act.
    case engineRefused = "engine_refused"
    /// Longer than the text engine takes at once.
    case textTooLong = "text_too_long"
    case cleanupUnavailable = "cleanup_unavailable"
    /// Nothing was asked: all slots of the engine are taken.
    case engineBusy = "engine_busy"
    /// Nothing was asked: the engine has failed several times in a row, or has refused the service.
    case enginePaused = "engine_paused"
    /// The app asks for the owner's consent before anything leaves the machine, and no engine is on it.
    case consentRequired = "consent_required"
    /// A limit on what engines may use in a day, of the account or of the app.
    case budgetExceeded = "budget_exceeded"
    /// A cleaned text of a run that was asked for is not a reading of the raw one; the earlier one stays.
    case cleanupRejected = "cleanup_rejected"
    case storageUnavailable = "storage_unavailable"
    case databaseUnavailable = "database_unavailable"
    case mailUnavailable = "mail_unavailable"
    case mailRefused = "mail_refused"
    /// The file of an import is no zip or a damaged one, or its list of entries is no JSON.
    case zipUnreadable = "zip_unreadable"
    /// The zip of an import is built to harm its reader, by its size unpacked, by names, or by members that share bytes.
    case zipUnsafe = "zip_unsafe"
    /// The zip of an import is neither an export of this service nor one of Day One.
    case zipUnknown = "zip_unknown"
    /// The zip of an import has more entries than the app allows.
    case zipTooLarge = "zip_too_large"
    /// The address takes no mail: it bounced, or its owner complained.
    case addressSuppressed = "address_suppressed"
    case crashed = "processing_crashed"
    case gone = "owner_gone"
    case unexpected = "processing_failed"
}

extension ProcessingCode {
    /// Codes of a failed check (stage `verify`) after which the recording may be uploaded again, to a new object: other bytes were stored than
    /// the app announced, or they cannot be read from the store.
    package static let reuploadable: [ProcessingCode] = [.uploadMissing, .uploadSizeMismatch, .uploadHashMismatch, .storageUnavailable]
    /// The same for a recording that was announced without a digest: nothing shows that it arrived unchanged.
    package static let reuploadableWithoutDigest: [ProcessingCode] = [.mediaUnreadable]

    /// A retry can succeed only when neither the recording itself nor its language is the reason.
    package var retryableByOwner: Bool {
        switch self {
        case .uploadSizeMismatch, .uploadHashMismatch, .uploadExpired, .mediaUnreadable, .mediaUnsupported, .mediaTooLong, .mediaLimits,
            .contentTypeMismatch, .languageUnsupported, .textTooLong, .uploadMissing, .gone, .addressSuppressed, .zipUnreadable, .zipUnsafe,
            .zipUnknown,
            .zipTooLarge:
            false
        case .speechUnavailable, .speechTimeout, .speechUnreadable, .engineRefused, .engineBusy, .enginePaused, .cleanupUnavailable,
            .cleanupRejected,
            .consentRequired, .budgetExceeded, .storageUnavailable, .databaseUnavailable, .mailUnavailable, .mailRefused, .crashed,
            .unexpected:
            true
        }
    }
}

/// Why a worker's write was refused. Nothing was written; after `leaseLost` and `ownerGone` the caller has nothing left to do.
package enum WorkError: Error, Sendable, Equatable {
    /// Another worker has the lease.
    case leaseLost
    /// The owner's key, or the row that the job works on, does not exist any more.
    case ownerGone
    case unavailable(DiaryError)

    /// The database is unavailable, or did not finish in time.
    package var isOutage: Bool { if case .unavailable(let cause) = self { cause.code == .unavailable } else { false } }
}
