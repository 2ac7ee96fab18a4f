/// Decodes a recording that `MediaProbe` has accepted, once, for what its owner hears and sees of it.
package protocol RecordingRenderer: Sendable {
    /// - Parameters: as of `MediaProbe.inspect`; `facts` is what that returned.
    func render(
        _ path: String, contentType: String, facts: MediaFacts, folder: String
    ) async throws(ProviderFailure) -> RenderedRecording
}

package struct RenderedRecording: Sendable, Equatable {
    /// Measured by decoding.
    package var durationSeconds: Double
    package var waveform: Waveform
    /// A file inside the folder, AAC in MP4; nil when the recording is that itself.
    package var copy: String?
    /// Engines are to hear the copy: they would hear less in the recording, or something else.
    package var isCopyHeard: Bool = false

    package init(durationSeconds: Double, waveform: Waveform, copy: String?, isCopyHeard: Bool = false) {
        self.durationSeconds = durationSeconds
        self.waveform = waveform
        self.copy = copy
        self.isCopyHeard = isCopyHeard
    }
}
