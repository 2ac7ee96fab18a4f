/// Turns raw words into readable text.
package protocol TextEngine: Sendable {
    func clean(_ raw: RawTranscript, _ request: TextRequest) async throws(ProviderFailure) -> TextAnswer
}
