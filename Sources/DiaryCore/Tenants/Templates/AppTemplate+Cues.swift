extension AppTemplate {
    /// What is practised is judged as it was said. The flag shows the app's recording screens.
    static let cues = AppTemplate(
        name: "cues", about: "recordings of practised cues, with a history of each",
        settings: ["cleanup": "off", "hosted_processing": "consent", "flags.recording_scaffold_enabled": "true"])
}
