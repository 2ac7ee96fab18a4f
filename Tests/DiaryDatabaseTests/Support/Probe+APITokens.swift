import DiaryCrypto
import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

/// Probes of API tokens. The seed's token has the id of the account's session, which a request with a token has in its place.
extension Probe {
    private static let token: @Sendable (SeedData) -> Statement? = {
        Statement(
            """
            insert into api_tokens (tenant_id, user_id, id, name_sealed, token_hash, scopes, expires_at)
            values ($1, $2, $3, 'sealed', $4, '{all}', clock_timestamp() + interval '1 day')
            """, $0.person.owner.parameters + [.uuid($0.person.member.session.uuid), .bytes([UInt8](repeating: 7, count: 32))])
    }

    static let apiTokens: [Probe] = [
        Probe(name: "tokens", seed: token) { try await !$0.apiTokens.tokens(of: $1.person.member).isEmpty },
        Probe(name: "token create") {
            let id = APITokenID(UUID())
            let made = NewAPIToken(
                id: id, hash: SecureRandom.bytes(32), nameSealed: [1], keyID: $1.person.keyID, scopes: [.exports], days: 9)
            return try await $0.apiTokens.create(made, most: 9, by: $1.person.member, requestID: nil) != nil
        },
        Probe(name: "token use") {
            try await $0.apiTokens.noteUse(by: $1.person.member)
            return false
        },
        Probe(name: "token revoke") {
            try await $0.apiTokens.revoke(
                APITokenID($1.person.member.session.uuid), by: $1.person.member, requestID: nil)
        },
    ]
}
