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
                let page = try await schedules.stopMail.look(token)
                return page.sendsMail ? Self.question(page, action: prefix.path("/unsubscribe/\(token)")) : Self.done(page)
            },
            Route(.post, "/unsubscribe/{token}", limits: policies.links) { (context: AnonymousContext) in
                Self.done(try await schedules.stopMail.run(try context.parameter("token"), from: context.origin))
            },
        ]
    }

    private static func question(_ page: StopScheduleMail.Page, action: String) -> Reply {
        let app = page.appName.map { HTMLPage.escaped($0) } ?? "your diary"
        return HTMLPage.reply(
            .ok, title: "Stop these mails?",
            """
            <p>\(app) makes an export for you again and again, and mails you its link.</p>
            <form method="post" action="\(HTMLPage.escaped(action))"><button type="submit">Stop the mails</button></form>
            <p class="small">The exports are still made; you find them in the app, where you can also turn the mails on again.</p>
            """)
    }

    private static func done(_ page: StopScheduleMail.Page) -> Reply {
        let app = page.appName.map { HTMLPage.escaped($0) } ?? "Your diary"
        return HTMLPage.reply(
            .ok, title: "These mails have stopped",
            """
            <p>\(app) mails you no more links of this export. The exports are still made, and are in the app.</p>
            """)
    }
}
