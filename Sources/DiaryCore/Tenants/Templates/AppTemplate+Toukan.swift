extension AppTemplate {
    /// Recordings wait on the phone for a connection, for weeks if need be, and are reviewed by summary, key points and transcript.
    static let toukan = AppTemplate(
        name: "toukan", about: "meetings captured by a phone and reviewed on the web",
        settings: [
            "cleanup.extras": "title,summary,key_points", "limits.upload_url_seconds": "86400", "limits.upload_window_seconds": "2592000",
        ])
}
