import DiaryCore
import HTTPTypes

/// The link in the mails of a schedule: a page with a button, and the one click of a mail program (RFC 8058), which sends the same POST.
/// `Dispatcher` shows their errors as pages to browsers.
struct UnsubscribeRoutes: Sendable {
    let schedules: ExportScheduleFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.get, "/unsubscribe/{token}", limits: policies.links) { (context: AnonymousContext) in
                let token = try context.parameter("token")
                return Self.question(
                    try await schedules.stopMail.look(token), action: prefix.path("/unsubscribe/\(token)"), Self.words(context))
            },
            Route(.post, "/unsubscribe/{token}", limits: policies.links) { (context: AnonymousContext) in
                Self.done(
                    try await schedules.stopMail.run(try context.parameter("token"), from: context.origin), Self.words(context))
            },
        ]
    }

    /// In the language of the browser: the link does not say whose it is.
    private static func words(_ context: AnonymousContext) -> Words<UnsubscribeWord> {
        Words(PageLanguage.of(account: nil, context.exchange.headers))
    }

    private static func question(_ app: AppBrand?, action: String, _ words: Words<UnsubscribeWord>) -> Reply {
        let explanation = words[.explanation].replacing("#", with: app?.name ?? words[.diary])
        return HTMLPage.reply(
            .ok, title: words[.question], language: words.language, brand: app ?? AppBrand(),
            """
            <p>\(HTMLPage.escaped(explanation))</p>
            <form method="post" action="\(HTMLPage.escaped(action))"><button type="submit">\(HTMLPage.escaped(words[.button]))</button></form>
            <p class="small">\(HTMLPage.escaped(words[.staysAsItIs]))</p>
            """)
    }

    private static func done(_ app: AppBrand?, _ words: Words<UnsubscribeWord>) -> Reply {
        let text = words[.doneText].replacing("#", with: app?.name ?? words[.diary])
        return HTMLPage.reply(
            .ok, title: words[.done], language: words.language, brand: app ?? AppBrand(), "<p>\(HTMLPage.escaped(text))</p>")
    }
}

/// What the page of a schedule's mails says. `#` stands for the app's name.
enum UnsubscribeWord: String, WrittenKey {
    static let section = "unsubscribe"

    case question, explanation, button, staysAsItIs, done, doneText
    /// In place of an app's name.
    case diary
}
