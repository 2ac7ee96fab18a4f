import DiaryCrypto
package import FoundationEssentials

/// The tags of a selection as a row has them: sealed, and hashed with the account's key so that the store finds candidates (decision D21).
///
/// The list is sealed with the user's id as its row, so that a schedule's row can be copied into an export's.
package struct SealedTags: Sendable {
    package let sealed: [UInt8]
    /// Sorted; all must be among an entry's `label_hashes`.
    package let hashes: [Int64]
    /// The data key of both.
    package let keyID: UUID

    /// nil for no tags.
    package init?(_ tags: [String], _ vault: Vault) throws(DiaryError) {
        guard !tags.isEmpty else { return nil }
        sealed = try vault.seal(tags, as: .exportTags, row: vault.owner.user.uuid)
        hashes = vault.hashes(of: ExportSelection.labels(of: tags))
        keyID = vault.key.id
    }
}

extension Vault.Part {
    /// JSON; row = the user's id, so that a schedule's row can be copied into an export's.
    package static let exportTags = Vault.Part(name: "export_tags", table: "exports")
}
