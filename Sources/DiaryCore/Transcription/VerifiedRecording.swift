/// A recording whose bytes `MediaProbe` has accepted, opened into a job's folder.
package struct VerifiedRecording: Sendable {
    /// A file inside `folder`.
    package var path: String
    /// The job's own (0700), and the only one that a child process may see.
    package var folder: String
    /// The media type that the probe accepted; it fixes the demuxer.
    package var contentType: String
    /// What the probe measured.
    package var durationSeconds: Double

    package init(path: String, folder: String, contentType: String, durationSeconds: Double) {
        self.path = path
        self.folder = folder
        self.contentType = contentType
        self.durationSeconds = durationSeconds
    }
}
