extension AppTemplate {
    /// What was said, word by word and by whom; nothing leaves the machine.
    static let meetings = AppTemplate(
        name: "meetings", about: "meetings with speakers, segments and notes",
        settings: ["cleanup": "off", "speech.guess_speakers": "on", "hosted_processing": "off"])
}
