package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// A member's own profile and account, by the database role `diary_api`.
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
    /// A hash of what the owner is shown, so that nothing that writes it has to count versions. Sealed texts are sealed anew with each
    /// change. 53 bits, which a JSON number holds exactly.
    static let versionSQL = """
        hash_record_extended(row(u.email_sealed, u.name_sealed, u.time_zone, u.locale, address_is_proved(u.tenant_id, u.id), u.day_ends_minute,
            u.languages, u.speech_engine, u.text_engine, u.hosted_processing_consent_at, u.vocabulary_sealed, u.recordings_retention_days,
            email_status(u.tenant_id, u.id)), 0) & 9007199254740991
        """

    static func statement(_ owner: Owner) -> Statement {
        Statement(
            """
            select u.email_sealed, u.name_sealed, u.time_zone, u.locale, u.created_at,
                address_is_proved(u.tenant_id, u.id), u.day_ends_minute, u.languages, \(versionSQL),
                u.speech_engine, u.text_engine, u.hosted_processing_consent_at, u.vocabulary_sealed, u.recordings_retention_days,
                email_status(u.tenant_id, u.id)
            from users u where u.tenant_id = $1 and u.id = $2 and u.deleted_at is null
            """, owner.parameters)
    }

    init(_ row: Row) throws(DatabaseError) {
        self.init(
            emailSealed: try row.bytesOrNil(0), emailVerified: try row.bool(5), nameSealed: try row.bytesOrNil(1),
            timeZone: try row.text(2),
            locale: try row.textOrNil(3), createdAt: try row.date(4),
            preferences: Preferences(
                dayEndsMinute: Int(clamping: try row.int(6)), languages: try row.texts(7),
                hostedProcessingConsentAt: try row.dateOrNil(11), recordingsRetentionDays: try row.intOrNil(13).map { Int(clamping: $0) },
                engines: EngineChoice(speech: try row.textOrNil(9), text: try row.textOrNil(10))),
            version: try row.int(8), vocabularySealed: try row.bytesOrNil(12), emailStatus: try row.knownOrNil(14))
    }
}
