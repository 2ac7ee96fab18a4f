import Testing

@testable import DiaryCore

@Suite("Templates of apps")
struct AppTemplateTests {
    @Test("every setting of a template is one that an app may have", arguments: AppTemplate.all.map(\.name))
    func settings(_ name: String) throws {
        let template = try #require(AppTemplate.named(name))
        let configuration = try template.configuration()

        #expect(configuration.values.count == template.settings.count && !configuration.values.isEmpty)
        #expect(TenantConfiguration(json: configuration.json) == configuration)
        #expect(!template.about.isEmpty)
    }

    @Test("each has a name of its own, and another name is none")
    func names() {
        #expect(AppTemplate.all.map(\.name) == ["my-day", "toukan", "meetings", "cues", "notes"])
        #expect(AppTemplate.named("other") == nil)
    }

    @Test("voice notes take no recordings, and nothing of a meeting leaves the machine")
    func promises() throws {
        let notes = try AppTemplate.notes.configuration()
        #expect(!notes.takesRecordings && notes.hostedProcessing == .off && !notes.cleansTranscripts)
        let meetings = try AppTemplate.meetings.configuration()
        #expect(meetings.guessesSpeakers && meetings.hostedProcessing == .off)
        #expect(try AppTemplate.toukan.configuration().textExtras == [.title, .summary, .keyPoints])
    }
}
