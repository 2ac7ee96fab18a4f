/// The one catalogue of error codes. Stable strings; mirrored in openapi.yaml, which a test compares.
package enum ErrorCode: String, Sendable, CaseIterable {
    case malformedRequest = "malformed_request"
    case malformedJSON = "malformed_json"
    case invalidFields = "invalid_fields"
    case appUnknown = "app_unknown"
    case unauthorized = "unauthorized"
    case invalidCredentials = "invalid_credentials"
    case codeRefused = "code_refused"
    case passwordRefused = "password_refused"
    case refreshRefused = "refresh_refused"
    case tokenRefused = "token_refused"
    case signatureRefused = "signature_refused"
    case appSuspended = "app_suspended"
    case addressNotVerified = "address_not_verified"
    case reauthenticationRequired = "reauthentication_required"
    case insufficientScope = "insufficient_scope"
    case uploadRefused = "upload_refused"
    case uploadURLExpired = "upload_url_expired"
    case linkRefused = "link_refused"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case entryIDTaken = "entry_id_taken"
    case speakerIDTaken = "speaker_id_taken"
    case noteIDTaken = "note_id_taken"
    case entryDeleted = "entry_deleted"
    case uploadIncomplete = "upload_incomplete"
    case uploadSizeMismatch = "upload_size_mismatch"
    case uploadFinished = "upload_finished"
    case tooManyUploads = "too_many_uploads"
    case tooManySchedules = "too_many_schedules"
    case tooManySpeakers = "too_many_speakers"
    case tooManyTokens = "too_many_tokens"
    case audioNotReady = "audio_not_ready"
    case originalNotKept = "original_not_kept"
    case waveformUnavailable = "waveform_unavailable"
    case audioRemoved = "audio_removed"
    case audioOnDevice = "audio_on_device"
    case transcriptNotReady = "transcript_not_ready"
    case notAVoiceEntry = "not_a_voice_entry"
    case exportNotReady = "export_not_ready"
    case alreadyProcessing = "already_processing"
    case reprocessNotPossible = "reprocess_not_possible"
    case entryDamaged = "entry_damaged"
    case concurrentChange = "concurrent_change"
    case providerNotConfigured = "provider_not_configured"
    case accountExists = "account_exists"
    case identityTaken = "identity_taken"
    case lastIdentity = "last_identity"
    case storageExceeded = "storage_exceeded"
    case duplicateRecording = "duplicate_recording"
    case syncCursorExpired = "sync_cursor_expired"
    case linkExpired = "link_expired"
    case preconditionFailed = "precondition_failed"
    case uploadExists = "upload_exists"
    case bodyTooLarge = "body_too_large"
    case uriTooLong = "uri_too_long"
    case unsupportedMediaType = "unsupported_media_type"
    case rangeNotSatisfiable = "range_not_satisfiable"
    case idempotencyMismatch = "idempotency_mismatch"
    case preconditionRequired = "precondition_required"
    case rateLimited = "rate_limited"
    case headersTooLarge = "headers_too_large"
    case requestTimeout = "request_timeout"
    case overloaded = "overloaded"
    case unavailable = "dependency_unavailable"
    case storageFull = "storage_full"
    case internalError = "internal_error"

    /// The HTTP status a client sees.
    package var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .appUnknown: 400
        case .unauthorized, .invalidCredentials, .refreshRefused, .signatureRefused: 401
        // Not 401: the access token is good, and clients answer 401 with a refresh (decision 0020).
        case .codeRefused, .passwordRefused, .tokenRefused: 403
        case .appSuspended, .addressNotVerified, .reauthenticationRequired, .insufficientScope, .uploadRefused, .uploadURLExpired,
            .linkRefused:
            403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .entryIDTaken, .uploadIncomplete, .uploadSizeMismatch, .uploadFinished, .audioNotReady, .originalNotKept,
            .waveformUnavailable, .audioOnDevice, .transcriptNotReady, .notAVoiceEntry, .exportNotReady, .alreadyProcessing,
            .reprocessNotPossible, .entryDamaged,
            .concurrentChange, .providerNotConfigured, .accountExists,
            .identityTaken,
            .lastIdentity, .storageExceeded, .duplicateRecording, .tooManyUploads, .tooManySchedules,
            .speakerIDTaken, .noteIDTaken, .tooManySpeakers, .tooManyTokens:
            409
        case .entryDeleted, .audioRemoved, .syncCursorExpired, .linkExpired: 410
        case .preconditionFailed, .uploadExists: 412
        case .bodyTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .invalidFields, .idempotencyMismatch: 422
        case .preconditionRequired: 428
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .overloaded, .unavailable: 503
        case .storageFull: 507
        }
    }

    /// Short and the same for every occurrence (RFC 9457 `title`).
    package var title: String {
        switch self {
        case .malformedRequest: "The request cannot be understood"
        case .malformedJSON: "The body is not the JSON this operation takes"
        case .invalidFields: "Some fields are not acceptable"
        case .appUnknown: "The app is not known here"
        case .unauthorized: "Sign in to do this"
        case .invalidCredentials: "Address and password do not match"
        case .codeRefused: "The code is wrong or no longer valid"
        case .passwordRefused: "The password is wrong"
        case .refreshRefused: "The refresh token is not valid"
        case .tokenRefused: "The provider's token is not valid here"
        case .signatureRefused: "The signature is not valid here"
        case .appSuspended: "The app is suspended for now"
        case .addressNotVerified: "The account has no verified address of its own"
        case .reauthenticationRequired: "Prove again who you are"
        case .insufficientScope: "The API token may not do this"
        case .uploadRefused: "The upload URL is not valid"
        case .uploadURLExpired: "The upload URL has expired"
        case .linkRefused: "The link is not valid"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method is not allowed here"
        case .entryIDTaken: "The entry id is taken by another entry"
        case .speakerIDTaken: "The speaker id is taken by another speaker"
        case .noteIDTaken: "The entry has this note with another text"
        case .entryDeleted: "The entry has been deleted since"
        case .uploadIncomplete: "The file has not arrived"
        case .uploadSizeMismatch: "The file has another size than announced"
        case .uploadFinished: "The upload has ended"
        case .tooManyUploads: "The account has too many uploads in parts"
        case .tooManySchedules: "The account has too many export schedules"
        case .tooManySpeakers: "The account has too many speakers"
        case .tooManyTokens: "The account has too many API tokens"
        case .audioNotReady: "The recording is not ready to play"
        case .originalNotKept: "The recording is kept as a copy only"
        case .waveformUnavailable: "The recording has no waveform"
        case .audioRemoved: "The recording has been removed; its text is kept"
        case .audioOnDevice: "The recording is on the device that made it"
        case .transcriptNotReady: "The recording has not been transcribed"
        case .notAVoiceEntry: "The entry has no recording"
        case .exportNotReady: "The zip is not ready"
        case .alreadyProcessing: "The entry is being processed"
        case .reprocessNotPossible: "The entry is not in a state to be processed again"
        case .entryDamaged: "The entry is damaged"
        case .concurrentChange: "Another change came first"
        case .providerNotConfigured: "The app does not offer this way to sign in"
        case .accountExists: "There is an account with this address; sign in to it and link there"
        case .identityTaken: "This identity belongs to another account"
        case .lastIdentity: "It is the account's last sign-in method"
        case .storageExceeded: "The account stores as much as the app allows"
        case .duplicateRecording: "The account has this recording already"
        case .syncCursorExpired: "The sync position is too old; start again without it"
        case .linkExpired: "The link has expired"
        case .preconditionFailed: "It has changed since it was read"
        case .uploadExists: "The file has already been uploaded"
        case .bodyTooLarge: "The body is too large"
        case .uriTooLong: "The URI is too long"
        case .unsupportedMediaType: "The media type is not supported"
        case .rangeNotSatisfiable: "The range lies outside the recording"
        case .idempotencyMismatch: "The idempotency key was used for another request"
        case .preconditionRequired: "If-Match is required"
        case .rateLimited: "Too many requests"
        case .headersTooLarge: "The header fields are too large"
        case .requestTimeout: "The request took too long to arrive"
        case .overloaded: "The service is busy"
        case .unavailable: "Something the service needs is down"
        case .storageFull: "The storage is full"
        case .internalError: "Something went wrong on our side"
        }
    }

    /// True when the same request may succeed later without a change.
    package var retryable: Bool {
        switch self {
        case .rateLimited, .requestTimeout, .overloaded, .unavailable, .storageFull, .internalError, .uploadIncomplete, .audioNotReady,
            .transcriptNotReady, .exportNotReady, .alreadyProcessing, .concurrentChange:
            true
        default: false
        }
    }
}
