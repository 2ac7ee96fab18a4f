package import DiaryCore
import HTTPTypes

/// Somebody whose access token passed every check. Whether the session still lives is asked in the store's own round trip (D6).
package struct MemberContext: AccessContext {
    package static let access = Access.member
    package let exchange: Exchange
    package let claims: AccessClaims
    package let member: Member

    package init(_ exchange: Exchange) throws(DiaryError) {
        let token = try Self.bearer(exchange.headers)
        do {
            claims = try exchange.services.tokens.verify(token, at: exchange.now)
        } catch {
            throw .unauthorized
        }
        member = Member(tenant: claims.tenant, user: claims.user, session: claims.session)
        self.exchange = exchange
    }

    package var subject: RateSubject { .user(member.user) }

    /// The token of the one `Authorization` field (RFC 6750 section 2.1); the scheme in any case. Whatever is wrong, the answer is the same.
    static func bearer(_ headers: HTTPFields) throws(DiaryError) -> String {
        let values = headers[values: .authorization]
        guard values.count == 1, let value = values.first, value.utf8.count <= 4096 else { throw .unauthorized }
        let parts = value.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].count == 6, Substring(parts[0]).lowercased() == "bearer",
            parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") })
        else {
            throw .unauthorized
        }
        return String(Substring(parts[1]))
    }
}
