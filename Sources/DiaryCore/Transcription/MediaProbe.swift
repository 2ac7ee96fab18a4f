/// Examines an uploaded recording before anything else reads it.
package protocol MediaProbe: Sendable {
    /// - Parameters:
    ///   - path: a file inside `folder`, which is the job's own (0700) and the only one the child process may see.
    ///   - contentType: the declared media type; it fixes the demuxer.
    ///   - isMeasured: reads the times of all packets, as headers may be wrong.
    func inspect(
        _ path: String, contentType: String, folder: String, isMeasured: Bool
    ) async throws(ProviderFailure) -> MediaFacts
}

extension MediaProbe {
    package func inspect(_ path: String, contentType: String, folder: String) async throws(ProviderFailure) -> MediaFacts {
        try await inspect(path, contentType: contentType, folder: folder, isMeasured: false)
    }
}
