/// Default limits. Those that docs/configuration.md lists are settings.
package struct Limits: Sendable, Equatable {
    package var accessTokenSeconds = 900
    package var refreshIdleSeconds = 30 * 86_400
    package var refreshAbsoluteSeconds = 90 * 86_400
    package var refreshGraceSeconds = 60
    /// The life of a challenge of sign-in by a provider.
    package var challengeSeconds = 600
    /// Counted uses of a refresh token within its grace, and how far apart uses must be to count as two (decision 0020).
    package var refreshGraceUses = 3
    package var refreshBurstSeconds = 10
    /// How long a session counts as fresh after a proof of identity.
    package var freshProofSeconds = 600
    package var codeSeconds = 1_800
    package var codeTries = 5
    /// Codes of one sign-up, and mails of one other kind to one address.
    package var codesPerHour = 5
    /// Codes of all sign-ups with one address: more than one requester's, who could otherwise use up the owner's.
    package var addressCodesPerHour = 20
    /// Codes of one kind to one account, of all requesters together.
    package var accountCodesPerHour = 60
    package var uploadURLSeconds = 900
    /// The shortest and the longest life of a playback link; between them it is twice the recording's duration.
    package var playbackURLSeconds = 900
    package var playbackURLMaxSeconds = 12 * 3_600
    package var maxAudioBytes: Int64 = 500 * 1_048_576
    package var maxAudioSeconds: Double = 4 * 3_600
    package var maxImportBytes: Int64 = 5_000_000_000
    package var maxImportEntries = 100_000
    package var exportLinkSeconds = 86_400
    package var exportDownloads = 5
    /// Above which an export's next entry begins another zip.
    package var exportPartBytes: Int64 = 1 << 30
    /// How long an entry waits for its recording; an app's setting replaces it.
    package var uploadWindowSeconds = 7 * 86_400
    /// A recording that was acknowledged longer ago than this and is not in the store was lost.
    package var lostUploadSeconds: Double = 86_400
    /// How long an `Idempotency-Key` is remembered (`sweep_idempotency_keys` of the schema).
    package var idempotencySeconds = 48 * 3_600
    package var leaseSeconds: Double = 60
    package var heartbeatSeconds: Double = 15
    package var sweepSeconds: Double = 10
    /// How long an object that no row names is left where it is.
    package var orphanSeconds: Double = 86_400
    package var pollSeconds: Double = 2
    package var maxTries = 8
    package var retryBaseSeconds: Double = 5
    package var retryCapSeconds: Double = 900
    package var maxCrashes = 3
    package var gracefulStopSeconds: Double = 30

    package init(
        accessTokenSeconds: Int = 900, refreshIdleSeconds: Int = 30 * 86_400, refreshAbsoluteSeconds: Int = 90 * 86_400,
        refreshGraceSeconds: Int = 60, challengeSeconds: Int = 600, refreshGraceUses: Int = 3, refreshBurstSeconds: Int = 10,
        freshProofSeconds: Int = 600, codeSeconds: Int = 1_800, codeTries: Int = 5, codesPerHour: Int = 5, addressCodesPerHour: Int = 20,
        accountCodesPerHour: Int = 60, uploadURLSeconds: Int = 900, playbackURLSeconds: Int = 900, playbackURLMaxSeconds: Int = 12 * 3_600,
        maxAudioBytes: Int64 = 500 * 1_048_576, maxAudioSeconds: Double = 4 * 3_600, maxImportBytes: Int64 = 5_000_000_000,
        maxImportEntries: Int = 100_000, exportLinkSeconds: Int = 86_400, exportDownloads: Int = 5, exportPartBytes: Int64 = 1 << 30,
        uploadWindowSeconds: Int = 7 * 86_400, lostUploadSeconds: Double = 86_400, idempotencySeconds: Int = 48 * 3_600,
        leaseSeconds: Double = 60, heartbeatSeconds: Double = 15, sweepSeconds: Double = 10, orphanSeconds: Double = 86_400,
        pollSeconds: Double = 2, maxTries: Int = 8, retryBaseSeconds: Double = 5, retryCapSeconds: Double = 900, maxCrashes: Int = 3,
        gracefulStopSeconds: Double = 30
    ) {
        self.accessTokenSeconds = accessTokenSeconds
        self.refreshIdleSeconds = refreshIdleSeconds
        self.refreshAbsoluteSeconds = refreshAbsoluteSeconds
        self.refreshGraceSeconds = refreshGraceSeconds
        self.challengeSeconds = challengeSeconds
        self.refreshGraceUses = refreshGraceUses
        self.refreshBurstSeconds = refreshBurstSeconds
        self.freshProofSeconds = freshProofSeconds
        self.codeSeconds = codeSeconds
        self.codeTries = codeTries
        self.codesPerHour = codesPerHour
        self.addressCodesPerHour = addressCodesPerHour
        self.accountCodesPerHour = accountCodesPerHour
        self.uploadURLSeconds = uploadURLSeconds
        self.playbackURLSeconds = playbackURLSeconds
        self.playbackURLMaxSeconds = playbackURLMaxSeconds
        self.maxAudioBytes = maxAudioBytes
        self.maxAudioSeconds = maxAudioSeconds
        self.maxImportBytes = maxImportBytes
        self.maxImportEntries = maxImportEntries
        self.exportLinkSeconds = exportLinkSeconds
        self.exportDownloads = exportDownloads
        self.exportPartBytes = exportPartBytes
        self.uploadWindowSeconds = uploadWindowSeconds
        self.lostUploadSeconds = lostUploadSeconds
        self.idempotencySeconds = idempotencySeconds
        self.leaseSeconds = leaseSeconds
        self.heartbeatSeconds = heartbeatSeconds
        self.sweepSeconds = sweepSeconds
        self.orphanSeconds = orphanSeconds
        self.pollSeconds = pollSeconds
        self.maxTries = maxTries
        self.retryBaseSeconds = retryBaseSeconds
        self.retryCapSeconds = retryCapSeconds
        self.maxCrashes = maxCrashes
        self.gracefulStopSeconds = gracefulStopSeconds
    }
}
