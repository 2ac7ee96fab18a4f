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
