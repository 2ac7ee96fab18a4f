/// Counts what an export would hold. Makes nothing; one statement, and the account's key where there are tags.
package struct EstimateExport: Sendable {
    let exports: any ExportStore
    let keys: DataKeys
    let limits: Limits

    package func run(
        _ selection: RequestedSelection, _ contents: ExportContents, for member: Member
    ) async throws(DiaryError) -> ExportEstimate {
        try selection.check()
        let tags = selection.tags.isEmpty ? nil : try SealedTags(selection.tags, try await keys.vault(of: member))
        switch try await exports.estimate(selection, tags: tags, includeAudio: contents.includeAudio, of: member) {
        case .success(let counts): return ExportEstimate(counts, contents, partBytes: limits.exportPartBytes)
        case .failure(let fault): throw DiaryError(fault)
        }
    }
}

/// What an export would hold, asked for before it is made.
package struct ExportEstimate: Sendable, Equatable {
    /// What the store counts, in one statement.
    package struct Counts: Sendable, Equatable {
        package var entries: Int64
        /// Entries of which the recording goes into the zip.
        package var recordings: Int64
        /// Bytes of these recordings, as they are stored.
        package var recordingBytes: Int64
        /// Sealed lengths of the words of `entries`, which are nearly those of the words.
        package var textBytes: Int64

        package init(entries: Int64, recordings: Int64, recordingBytes: Int64, textBytes: Int64) {
            self.entries = entries
            self.recordings = recordings
            self.recordingBytes = recordingBytes
            self.textBytes = textBytes
        }
    }

    package var entries: Int64
    package var recordings: Int64
    /// Bytes of all parts together: recordings as they are stored, and a guess for everything else.
    package var bytes: Int64
    package var parts: Int64

    init(_ counts: Counts, _ contents: ExportContents, partBytes: Int64) {
        entries = counts.entries
        recordings = counts.recordings
        // In a zip a member has two headers with its name; manifest and index name it again, and hold the words once more. Compressed words
        // take about half of their length.
        let files = Int64(contents.formats.count)
        let texts = counts.textBytes / 2 * (1 + files)
        let (forRecordings, forEntries) = (counts.recordings * 400, counts.entries * (600 + 300 * files))
        bytes = 2_000 + counts.recordingBytes + texts + forRecordings + forEntries
        parts = max(1, (bytes + partBytes - 1) / max(1, partBytes))
    }
}
