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
    case cleanupUnavailable = "cleanup_unavailable"
    case storageUnavailable = "storage_unavailable"
    case databaseUnavailable = "database_unavailable"
    case mailUnavailable = "mail_unavailable"
    case mailRefused = "mail_refused"
    case crashed = "processing_crashed"
    case gone = "owner_gone"
    case unexpected = "processing_failed"
}

extension ProcessingCode {
    /// A retry can succeed only when neither the recording itself nor its language is the reason.
    package var retryableByOwner: Bool {
        switch self {
        case .uploadSizeMismatch, .uploadHashMismatch, .uploadExpired, .mediaUnreadable, .mediaUnsupported, .mediaTooLong, .mediaLimits,
            .languageUnsupported, .uploadMissing, .gone:
            false
        case .speechUnavailable, .speechTimeout, .cleanupUnavailable, .storageUnavailable, .databaseUnavailable,
            .mailUnavailable, .mailRefused, .crashed, .unexpected:
            true
        }
    }
}
