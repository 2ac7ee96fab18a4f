import DiaryCore
import Logging

extension ProcessingCode {
    /// The level of the line about a job that ended with this code for good. `error` asks for an operator, so no recording and no recipient
    /// can cause it.
    var discardLevel: Logger.Level {
        switch self {
        case .uploadMissing, .uploadSizeMismatch, .uploadHashMismatch, .uploadExpired, .mediaUnreadable, .mediaUnsupported, .mediaTooLong,
            .mediaLimits, .contentTypeMismatch, .languageUnsupported, .textTooLong, .consentRequired, .budgetExceeded, .gone,
            .addressSuppressed, .zipUnreadable, .zipUnsafe, .zipUnknown, .zipTooLarge:
            .notice
        // Caused by the recording or a slow machine (`speechTimeout`), by the model, or by the recipient or the app's sender address.
        case .speechTimeout, .speechUnreadable, .cleanupRejected, .mailRefused: .warning
        // Waits, which never end a job.
        case .engineBusy, .enginePaused: .warning
        case .speechUnavailable, .engineRefused, .cleanupUnavailable, .storageUnavailable, .databaseUnavailable, .mailUnavailable, .crashed,
            .unexpected:
            .error
        }
    }
}
