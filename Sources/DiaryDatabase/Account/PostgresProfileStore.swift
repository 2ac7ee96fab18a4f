package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// A member's own profile and account, as `diary_api`.
package struct PostgresProfileStore: ProfileStore {
    let transaction: MemberTransaction

    package func profile(of member: Member) async throws(DiaryError) -> StoredProfile {
        let rows = try await transaction.run(member, [StoredProfile.statement(member.owner)])
        guard let row = rows.first(0) else { throw .notFound }
        return try decoding { () throws(DatabaseError) in try StoredProfile(row) }
    }
}

extension PostgresProfileStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

extension StoredProfile {
    static func statement(_ owner: Owner) -> Statement {
        Statement(
            """
            select u.email_sealed, u.name_sealed, u.time_zone, u.locale, u.created_at,
                address_is_proved(u.tenant_id, u.id), u.day_ends_minute, u.languages, u.training_consent
            from users u where u.tenant_id = $1 and u.id = $2 and u.deleted_at is null
            """, owner.parameters)
    }

    init(_ row: Row) throws(DatabaseError) {
        self.init(
            emailSealed: try row.bytesOrNil(0), emailVerified: try row.bool(5), nameSealed: try row.bytesOrNil(1),
            timeZone: try row.text(2),
            locale: try row.textOrNil(3), createdAt: try row.date(4),
            preferences: Preferences(
                dayEndsMinute: Int(clamping: try row.int(6)), languages: try row.texts(7), trainingConsent: try row.bool(8)))
    }
}
