import DiaryCore
import WireFormats

/// What `GET /v1/config` says of the app itself.
enum AppPayload {
    /// - Parameter app: nil where the request is for none, which then has no name and sends no mails.
    static func write(_ app: Tenant?, to w: inout JSONWriter) {
        let own = app?.configuration ?? TenantConfiguration()
        if let app {
            w.member("app") { w in
                w.member("slug", app.slug)
                w.member("name", app.name)
            }
            w.member("sender") { w in
                w.member("name", app.mailFromName)
                w.member("address", app.mailFromAddress)
            }
        }
        w.member("links") { w in
            w.member("privacy", own.text(.privacyLink))
            w.member("terms", own.text(.termsLink))
            w.member("support", own.text(.supportLink))
        }
        w.member("permits") { w in
            w.member("recordings", own.takesRecordings)
            w.member("cleanup", own.cleansTranscripts)
            w.member("extras", own.textExtras.map(\.rawValue))
            w.member("guessed_speakers", own.guessesSpeakers)
            w.member("prompts", own.promptLanguages)
        }
    }

    /// The members of an object of flags.
    static func writeFlags(_ own: TenantConfiguration, to w: inout JSONWriter) {
        for flag in own.flags { w.member(JSONName(flag.name), flag.value) }
    }
}
