package import DiaryCrypto

extension DataKeys {
    package func vault(of owner: Owner) async throws(DiaryError) -> Vault {
        Vault(key: try await key(of: owner), owner: owner)
    }
}

/// For a request with a token: without a key the account has ended, so the answer is `unauthorized` and not `not_found`.
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
