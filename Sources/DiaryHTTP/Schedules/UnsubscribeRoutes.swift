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

    private typealias Words = (language: WrittenLanguage, page: UnsubscribePageWords)

    /// In the language of the browser: the link does not say whose it is.
    private static func words(_ context: AnonymousContext) -> Words {
        let language = PageLanguage.of(account: nil, context.exchange.headers)
        return (language, .of(language))
    }

    private static func question(_ app: AppBrand?, action: String, _ words: Words) -> Reply {
        let explanation = words.page.naming(app?.name, words.page.explanation)
        return HTMLPage.reply(
            .ok, title: words.page.question, language: words.language, brand: app ?? AppBrand(),
            """
            <p>\(HTMLPage.escaped(explanation))</p>
            <form method="post" action="\(HTMLPage.escaped(action))"><button type="submit">\(HTMLPage.escaped(words.page.button))</button></form>
            <p class="small">\(HTMLPage.escaped(words.page.staysAsItIs))</p>
            """)
    }

    private static func done(_ app: AppBrand?, _ words: Words) -> Reply {
        let text = words.page.naming(app?.name, words.page.doneText)
        return HTMLPage.reply(
            .ok, title: words.page.done, language: words.language, brand: app ?? AppBrand(), "<p>\(HTMLPage.escaped(text))</p>")
    }
}
