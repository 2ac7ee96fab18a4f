package import DiaryCore
import HTTPTypes

/// A request whose access token or API token passed every check. Whether the session or the API token still exists is checked in the store's
/// own round trip (decision D6); an ended one is cached for a minute.
package struct MemberContext: AccessContext {
    package static let access = Access.member
    package let exchange: Exchange
    package let member: Member
    /// False for an API token that may add entries and not read them.
    private let mayRead: Bool

    package init(_ exchange: Exchange) throws(DiaryError) {
        let text = try Self.bearer(exchange.headers)
        if text.hasPrefix(APIToken.prefix) {
            let token = try Self.apiToken(text, exchange)
            member = Member(token)
            mayRead = !token.scopes.isDisjoint(with: [.entriesRead, .all])
        } else {
            member = try Self.member(of: text, exchange)
            mayRead = true
        }
        guard !exchange.environment.endedSessions.holds(member, at: exchange.now) else { throw .unauthorized }
        self.exchange = exchange
    }

    private static func member(of token: String, _ exchange: Exchange) throws(DiaryError) -> Member {
        let claims: AccessClaims
        do {
            claims = try exchange.environment.tokens.verify(token, at: exchange.now)
        } catch {
            throw .unauthorized
        }
        exchange.tenant.learn(claims.tenant)
        return Member(tenant: claims.tenant, user: claims.user, session: claims.session)
    }

    /// Its scopes are compared before anything is charged or read.
    private static func apiToken(_ text: String, _ exchange: Exchange) throws(DiaryError) -> APIToken {
        guard let key = exchange.environment.apiTokenKey, let token = APIToken(parsing: text, key: key) else { throw .unauthorized }
        exchange.tenant.learn(token.owner.tenant)
        try exchange.tokenAccess.require(token.scopes)
        return token
    }

    /// What the caller may see of an entry that was there before the request.
    func shown(_ entry: Entry) -> Entry { mayRead ? entry : entry.withoutWords }

    package var subject: RateSubject { .user(member.user) }

    package func limits(_ policies: [RatePolicy]) -> [RatePolicy] { exchange.environment.policies(policies, member.tenant) }

    /// With an ended session everything is refunded, and the next request with its token is refused before the handler. Otherwise daily
    /// quotas are refunded, because they count results; rates count calls.
    package func settle(_ charged: [RatePolicy], after error: DiaryError) -> [RatePolicy] {
        guard error.code != .unauthorized else {
            exchange.environment.endedSessions.remember(member, at: exchange.now)
            return charged
        }
        return charged.filter { if case .quota = $0.shape { true } else { false } }
    }

    /// The time of an API token's use is written every five minutes at most, by each process.
    package func noteUse() {
        let environment = exchange.environment
        guard member.tokenHash != nil, !environment.tokenUses.holds(member, at: exchange.now) else { return }
        environment.tokenUses.remember(member, at: exchange.now)
        // Not awaited, since the answer does not depend on it. When it fails, the list shows an older time.
        Task { [member] in await environment.noteTokenUse(member) }
    }

    /// The token of the one `Authorization` field (RFC 6750 section 2.1); the scheme in any case. Every fault has the same answer.
    static func bearer(_ headers: HTTPFields) throws(DiaryError) -> String {
        let values = headers[values: .authorization]
        guard values.count == 1, let value = values.first, value.utf8.count <= 4096 else { throw .unauthorized }
        guard let token = token(in: value.utf8Span.span) else { throw .unauthorized }
        return String(decoding: token, as: UTF8.self)
    }

    /// Spaces, `Bearer`, spaces, the token, spaces.
    private static func token(in field: Span<UInt8>) -> [UInt8]? {
        let scheme: [UInt8] = [0x62, 0x65, 0x61, 0x72, 0x65, 0x72]
        var at = 0
        func skipSpaces() { while at < field.count, field[at] == 0x20 { at += 1 } }
        skipSpaces()
        for letter in scheme {
            guard at < field.count, field[at] | 0x20 == letter else { return nil }
            at += 1
        }
        guard at < field.count, field[at] == 0x20 else { return nil }
        skipSpaces()
        let start = at
        while at < field.count, field[at] != 0x20 {
            guard field[at] > 0x20, field[at] < 0x7F, field[at] != UInt8(ascii: ",") else { return nil }
            at += 1
        }
        let end = at
        skipSpaces()
        guard at == field.count, end > start else { return nil }
        return [UInt8](capacity: end - start) { out in for index in start..<end { out.append(field[index]) } }
    }
}
