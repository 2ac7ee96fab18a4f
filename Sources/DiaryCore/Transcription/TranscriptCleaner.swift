/// Removes fillers and repetitions from a transcript without adding or losing meaning.
package protocol TranscriptCleaner: Sendable {
    func clean(_ raw: RawTranscript) async throws(ProviderFailure) -> String
}
