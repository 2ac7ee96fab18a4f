import DiaryCrypto

extension EntryStore {
    /// Writes the owner's part over the version that was read.
    /// - Returns: nil when another change came first and `match` names no version: it is to be read again.
    func rewrite(
        _ rewrite: PersonalRewrite, matching match: VersionMatch, _ vault: Vault, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry>? {
        switch try await rewritePersonal(rewrite, keyID: vault.key.id, by: member) {
        case .written(let stored): .written(try vault.open(stored))
        case .missing: throw .notFound
        case .conflict(let current): match == .any ? nil : .conflict(try vault.open(current))
        }
    }
}
