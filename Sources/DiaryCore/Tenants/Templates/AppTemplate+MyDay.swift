extension AppTemplate {
    /// Tags and moods are suggested by a language model and edited by hand; nothing leaves the machine without the member's consent.
    static let myDay = AppTemplate(
        name: "my-day", about: "a diary that is spoken or typed",
        settings: ["cleanup.extras": "suggestions", "hosted_processing": "consent"])
}
