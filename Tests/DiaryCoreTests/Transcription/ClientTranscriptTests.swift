import Testing

@testable import DiaryCore

@Suite("Words that a client has recognised")
struct ClientTranscriptTests {
    private func words(_ text: String, _ segments: (Double, Double, String)...) -> ClientTranscript {
        ClientTranscript(text: text, segments: segments.map { .init(start: $0.0, end: $0.1, text: $0.2, confidence: 0.5) })
    }

    @Test("single words are joined up to a pause, the end of a sentence or twelve seconds, and keep their times")
    func joined() throws {
        let given = words(
            "We swam. Then we ran home", (0, 0.4, "We"), (0.5, 1, "swam."), (1.1, 1.4, "Then"), (1.5, 1.8, "we"), (2.7, 3, "ran"),
            (3, 16, "home"))

        let spoken = try #require(given.spoken)

        #expect(spoken.map(\.text) == ["We swam.", "Then we", "ran", "home"])
        #expect(spoken.map(\.id) == [1, 2, 3, 4] && spoken.map(\.start) == [0, 1.1, 2.7, 3] && spoken.map(\.end) == [1, 1.8, 3, 16])
        #expect(spoken[0].words.map(\.start) == [0, 0.5] && spoken[0].words.map(\.confidence) == [0.5, 0.5])
    }

    @Test("phrases stay as they are, in the order of time; their words share the time by their letters")
    func phrases() throws {
        let spoken = try #require(words("we swam to the lake", (4, 6, "to the lake"), (0, 3, "we swam"), (7, 8, " ")).spoken)

        #expect(spoken.map(\.text) == ["we swam", "to the lake"])
        #expect(spoken[0].words.map(\.end) == [1, 3] && spoken[0].confidence == 0.5)
    }

    @Test("words of a script without blanks are not joined: the blanks between them would not be the speaker's")
    func scripts() throws {
        #expect(try #require(words("我们去湖边", (0, 1, "我们"), (1, 2, "去"), (2, 3, "湖边")).spoken).count == 3)
    }

    @Test(
        "segments have the letters of the text, whatever stands between them",
        arguments: [("We swam.", "we swam", true), ("We swam, home", "We ran", false), ("…", "…", true), ("", "we", false)])
    func consistent(text: String, segment: String, isConsistent: Bool) {
        #expect(words(text, (0, 1, segment)).isConsistent == isConsistent)
        #expect(ClientTranscript(text: text).isConsistent && ClientTranscript(text: text).spoken == nil)
    }

    @Test("they are the raw words of an engine of which no app has one")
    func machine() {
        let machine = ClientTranscript(text: "we swam", source: "a/b").machine(version: 1)
        #expect(machine.raw == "we swam" && machine.clean == nil && machine.speechEngine?.isClient == true)
        #expect(EngineReference(text: machine.speechEngine?.text ?? "") == EngineReference(name: "client", model: "a/b"))
        let own = EngineSettings(name: EngineReference.client, stage: .speech, kind: .local)
        #expect(own.faults(allowsPrivateHosts: false).count == 1)
    }
}
