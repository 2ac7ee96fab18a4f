/// Makes a transcript pleasant to read without adding or losing meaning.
package protocol TranscriptCleaner: Sendable {
    func clean(_ raw: RawTranscript) async throws(ProviderFailure) -> String
}
