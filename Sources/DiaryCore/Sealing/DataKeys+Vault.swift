package import DiaryCrypto

extension DataKeys {
    package func vault(of owner: Owner) async throws(DiaryError) -> Vault {
        Vault(key: try await key(of: owner), owner: owner)
    }
}

/// For somebody who shows a token: without a key there is no account any more, which is not "nothing here" but "not signed in".
extension DataKeys {
    package func key(of member: Member) async throws(DiaryError) -> DataKey {
        do throws(DiaryError) { return try await key(of: member.owner) } catch {
            throw error.code == .notFound ? .unauthorized : error
        }
    }

    package func vault(of member: Member) async throws(DiaryError) -> Vault {
        Vault(key: try await key(of: member), owner: member.owner)
    }
}
