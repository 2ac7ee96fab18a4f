import DiaryCrypto
package import FoundationEssentials

/// API tokens of an account: made, listed, revoked.
package struct APITokenFeature: Sendable {
    package let create: CreateAPIToken
    let store: any APITokenStore
    let keys: DataKeys

    /// Tokens of one account that have not ended: they are listed on one page.
    package static let most = 50
    /// Unicode code points.
    package static let nameLength = 60
    package static let longestDays: Int64 = 3_650
    package static let usualDays: Int64 = 365

    init(_ ports: FeaturePorts) {
        store = ports.apiTokens
        keys = ports.memberKeys
        create = CreateAPIToken(store: store, keys: keys, serviceKeys: ports.serviceKeys, clock: ports.clock)
    }

    /// Newest first, with those that ended by age within the last month.
    package func list(of member: Member) async throws(DiaryError) -> [APITokenView] {
        let stored = try await store.tokens(of: member)
        let vault = try await keys.vault(of: member)
        return stored.map { APITokenView($0, opened: vault) }
    }

    package func revoke(_ token: APITokenID, by member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        guard try await store.revoke(token, by: member, requestID: origin.requestID) else { throw .notFound }
    }
}

extension DiaryFeatures {
    package var apiTokens: APITokenFeature { APITokenFeature(ports) }
}

/// Makes a token, which is shown once. The session must have proved of late who it is: a stolen access token must not leave behind one that
/// lives for years.
package struct CreateAPIToken: Sendable {
    let store: any APITokenStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let clock: WallClock

    /// - Parameter name: is trimmed.
    /// - Returns: the token itself, and what lists show of it.
    package func run(
        _ name: String, _ scopes: Set<APITokenScope>, days: Int64, by member: Member, from origin: RequestOrigin
    ) async throws(DiaryError) -> (text: String, view: APITokenView) {
        let name = SingleLine.trimmed(name)
        guard !name.isEmpty else { throw .invalid("/name", "must not be blank") }
        let vault = try await keys.vault(of: member)
        let token = APIToken(
            APITokenID(UUIDv7.make(at: clock.now())), scopes, of: member.owner, key: serviceKeys.apiTokens)
        let new = NewAPIToken(
            id: token.id, hash: token.hash, nameSealed: try vault.seal(Array(name.utf8), .apiTokenName, row: token.id.uuid),
            keyID: vault.key.id, scopes: scopes, days: days)
        guard let stored = try await store.create(new, most: APITokenFeature.most, by: member, requestID: origin.requestID) else {
            throw DiaryError(.tooManyTokens)
        }
        return (token.text, APITokenView(stored, opened: vault))
    }
}

/// A token as its owner sees it.
package struct APITokenView: Sendable, Equatable {
    package var id: APITokenID
    /// nil when it was altered in the database and does not open.
    package var name: String?
    package var scopes: [APITokenScope]
    package var createdAt: Date
    package var expiresAt: Date
    package var lastUsedAt: Date?

    init(_ stored: StoredAPIToken, opened vault: Vault) {
        id = stored.id
        name = (try? vault.open(stored.nameSealed, .apiTokenName, row: stored.id.uuid)).map { String(decoding: $0, as: UTF8.self) }
        scopes = stored.scopes
        createdAt = stored.createdAt
        expiresAt = stored.expiresAt
        lastUsedAt = stored.lastUsedAt
    }
}

extension Vault.Part {
    static let apiTokenName = Vault.Part(name: "name", table: "api_tokens")
}
