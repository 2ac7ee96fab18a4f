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
