import FoundationEssentials

extension Profile {
    init(_ stored: StoredProfile, opened vault: Vault) throws(DiaryError) {
        let row = vault.owner.user.uuid
        let name = try vault.text(stored.nameSealed, .name, row: row)
        self.init(
            email: try vault.text(stored.emailSealed, .email, row: row), stored: stored, name: name,
            vocabulary: try vault.vocabulary(stored.vocabularySealed))
    }
}

/// The account, for its owner.
package struct Profile: Sendable {
    package var email: String?
    package var stored: StoredProfile
    package var name: String?
    /// Names and places that are expected to be spoken.
    package var vocabulary: [String] = []
}
