/// The chains of engines, in the order in which they are asked.
package protocol EngineSource: Sendable {
    func speech(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any SpeechEngine>]
    func text(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any TextEngine>]
}

/// The same chains for every account: those of the process's settings.
package struct FixedEngines: EngineSource {
    package let speech: [ConfiguredEngine<any SpeechEngine>]
    package let text: [ConfiguredEngine<any TextEngine>]

    package init(speech: [ConfiguredEngine<any SpeechEngine>], text: [ConfiguredEngine<any TextEngine>]) {
        self.speech = speech
        self.text = text
    }

    package func speech(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any SpeechEngine>] { speech }
    package func text(of owner: Owner) async throws(DiaryError) -> [ConfiguredEngine<any TextEngine>] { text }
}
