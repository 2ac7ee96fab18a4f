extension AppTemplate {
    /// The phone recognises, and its recordings never leave it.
    static let notes = AppTemplate(
        name: "notes", about: "voice notes whose recordings stay on the phone",
        settings: ["limits.audio_max_bytes": "0", "cleanup": "off", "hosted_processing": "off"])
}
