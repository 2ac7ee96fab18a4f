import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore

@Suite("Links that end the mails of a schedule")
struct ScheduleMailLinkTests {
    @Test("are accepted only as they were made")
    func links() throws {
        let links = StubLinks()
        let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
        let link = ScheduleMailLink(owner: owner, schedule: ExportScheduleID(UUID()), links: links)
        #expect(ScheduleMailLink(token: link.token, links: links) == link)
        #expect(link.url("https://diary.example") == "https://diary.example/unsubscribe/\(link.token)")
        for token in ["", ".", link.token + ".", String(link.token.dropFirst()), "x." + link.token, link.token.replacing(".", with: "")] {
            #expect(ScheduleMailLink(token: token, links: links) == nil)
        }
    }
}
