import DiaryCore

/// The limits that are settings. `Limits` has their defaults, and the limits that are not.
enum LimitSettings {
    static func limits(_ environment: Environment, accessTokenSeconds: Int) throws(SettingsError) -> Limits {
        var limits = Limits()
        limits.accessTokenSeconds = accessTokenSeconds
        limits.uploadURLSeconds = try environment.read(uploadURLSeconds)
        limits.exportLinkSeconds = try environment.read(exportLinkSeconds)
        limits.exportDownloads = try environment.read(exportDownloads)
        limits.exportPartBytes = Int64(try environment.read(exportPartBytes))
        limits.maxAudioBytes = Int64(try environment.read(maxAudioBytes))
        limits.maxAudioSeconds = Double(try environment.read(maxAudioSeconds))
        limits.maxImportBytes = Int64(try environment.read(maxImportBytes))
        limits.maxImportEntries = try environment.read(maxImportEntries)
        limits.leaseSeconds = try environment.read(leaseSeconds)
        limits.heartbeatSeconds = try environment.read(heartbeatSeconds)
        limits.sweepSeconds = try environment.read(sweepSeconds)
        limits.orphanSeconds = try environment.read(orphanSeconds)
        limits.pollSeconds = try environment.read(pollSeconds)
        limits.retryBaseSeconds = try environment.read(retryBaseSeconds)
        limits.gracefulStopSeconds = try environment.read(gracefulStopSeconds)
        guard limits.heartbeatSeconds * 2 <= limits.leaseSeconds else {
            throw SettingsError(heartbeatSeconds, "must be at most half of \(leaseSeconds.name)")
        }
        return limits
    }
}

extension LimitSettings {
    private static let defaults = Limits()
    private static let inBucket = "; with a bucket at most 5,000,000,000"

    static let uploadURLSeconds = Setting.whole(
        "DIARY_UPLOAD_URL_SECONDS", 1...86_400, default: defaults.uploadURLSeconds, "life of an upload address")
    static let exportLinkSeconds = Setting.whole(
        "DIARY_EXPORT_LINK_SECONDS", 1...2_592_000, default: defaults.exportLinkSeconds, "life of an export's link")
    static let exportDownloads = Setting.whole(
        "DIARY_EXPORT_DOWNLOADS", 1...1_000, default: defaults.exportDownloads, "downloads of one export")
    static let exportPartBytes = Setting.whole(
        "DIARY_EXPORT_PART_BYTES", 16_384...1_099_511_627_776, default: Int(defaults.exportPartBytes),
        "bytes of an export's zip, above which the next entry begins another part\(inBucket)")
    static let maxAudioBytes = Setting.whole(
        "DIARY_MAX_AUDIO_BYTES", 1...53_687_091_200, default: Int(defaults.maxAudioBytes), "largest recording in bytes\(inBucket)")
    static let maxAudioSeconds = Setting.whole(
        "DIARY_MAX_AUDIO_SECONDS", 1...86_400, default: Int(defaults.maxAudioSeconds), "longest recording in seconds")
    static let maxImportBytes = Setting.whole(
        "DIARY_MAX_IMPORT_BYTES", 1...53_687_091_200, default: Int(defaults.maxImportBytes),
        "largest zip to be imported in bytes\(inBucket)")
    static let maxImportEntries = Setting.whole(
        "DIARY_MAX_IMPORT_ENTRIES", 1...1_000_000, default: defaults.maxImportEntries, "entries of a zip that is imported")
    static let leaseSeconds = Setting.seconds(
        "DIARY_LEASE_SECONDS", 0.5...3_600, default: defaults.leaseSeconds, "how long a job is a worker's without a heartbeat")
    static let heartbeatSeconds = Setting.seconds(
        "DIARY_HEARTBEAT_SECONDS", 0.1...1_200, default: defaults.heartbeatSeconds,
        "between two heartbeats of a job; at most half of the lease")
    static let sweepSeconds = Setting.seconds("DIARY_SWEEP_SECONDS", 0.1...3_600, default: defaults.sweepSeconds, "between two sweeps")
    static let orphanSeconds = Setting.seconds(
        "DIARY_ORPHAN_SECONDS", 1...31_536_000, default: defaults.orphanSeconds, "how long an object that no row names is left")
    static let pollSeconds = Setting.seconds(
        "DIARY_POLL_SECONDS", 0.1...60, default: defaults.pollSeconds, "how often workers look for jobs without a signal")
    static let retryBaseSeconds = Setting.seconds(
        "DIARY_RETRY_BASE_SECONDS", 0.1...60, default: defaults.retryBaseSeconds, "first wait after a failed try")
    static let gracefulStopSeconds = Setting.seconds(
        "DIARY_GRACEFUL_STOP_SECONDS", 1...600, default: defaults.gracefulStopSeconds, "what running jobs get at SIGTERM")
    static let rateFactor = Setting.whole(
        "DIARY_RATE_FACTOR", 1...1_000_000, default: 1, "multiplies every rate limit, for tests and load")

    static let group = SettingsGroup(
        title: "Limits",
        settings: [
            uploadURLSeconds, exportLinkSeconds, exportDownloads, exportPartBytes, maxAudioBytes, maxAudioSeconds, maxImportBytes,
            maxImportEntries, leaseSeconds, heartbeatSeconds,
            sweepSeconds, orphanSeconds, pollSeconds, retryBaseSeconds, gracefulStopSeconds, rateFactor,
        ])
}

/// Limits of what one PUT stores in a bucket.
extension LimitSettings {
    /// Bytes before sealing. A service takes 5 GiB in one PUT, of which sealing needs 16 bytes for each 64 KiB, and the zip of a single entry what
    /// it has beside the recording. Larger objects would have to be put in parts, which the store does not do.
    static let bucketBytes = 5_000_000_000
    static let ofObjects = [exportPartBytes, maxAudioBytes, maxImportBytes]

    /// - Throws: when the setting, one of `ofObjects`, allows objects that the bucket would refuse.
    static func checkFits(_ setting: Setting<Int>, _ environment: Environment) throws(SettingsError) {
        guard try environment.read(setting) > bucketBytes, try environment.text(Settings.objects)?.hasPrefix(ObjectSettings.scheme) == true
        else { return }
        throw SettingsError(setting, "must be at most \(bucketBytes) with a bucket")
    }
}
