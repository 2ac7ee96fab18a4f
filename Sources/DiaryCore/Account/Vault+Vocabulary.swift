extension Vault.Part {
    /// JSON.
    package static let vocabulary = Vault.Part(name: "vocabulary", table: "users")
}

/// Names and places that an account expects to be spoken. They are sealed, because they say as much as the diary's words.
extension Vault {
    /// - Returns: nil for no words.
    func sealed(vocabulary: [String]) throws(DiaryError) -> [UInt8]? {
        vocabulary.isEmpty ? nil : try seal(vocabulary, as: .vocabulary, row: owner.user.uuid)
    }

    package func vocabulary(_ sealed: [UInt8]?) throws(DiaryError) -> [String] {
        guard let sealed else { return [] }
        return try open([String].self, sealed, as: .vocabulary, row: owner.user.uuid)
    }
}
