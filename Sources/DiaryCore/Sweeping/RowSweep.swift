/// Rows that end by their age. The SQL function `sweep_` and the name, `(most int) returns bigint`, stands with the feature's tables and deletes
/// up to so many of them.
package enum RowSweep: String, Sendable, CaseIterable {
    case jobs, tombstones, sessions, mails, deletions
    case queueUse = "queue_use"
    case speechParts = "speech_parts"
    case usageDays = "usage_days"
    case usageReservations = "usage_reservations"
    case exportRows = "export_rows"
    case importRows = "import_rows"
    /// Imports whose zips did not arrive in their window: they fail with `upload_expired`.
    case importUploads = "import_uploads"
    case idempotencyKeys = "idempotency_keys"
    case emailCodes = "email_codes"
    case mailEvents = "mail_events"
    case mailBounces = "mail_bounces"
    case auditEvents = "audit_events"
    case signInChallenges = "sign_in_challenges"
    case providerNotices = "provider_notices"
    case appleGrants = "apple_grants"
    /// Codes that Apple no longer accepts.
    case appleCodes = "apple_codes"
}
