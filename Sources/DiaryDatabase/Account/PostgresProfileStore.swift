package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// A member's own profile and account, by the database role `diary_api`.
package struct PostgresProfileStore: ProfileStore {
    let transaction: MemberTransaction

    package func profile(of member: Member) async throws(DiaryError) -> StoredProfile {
        let profile = try await transaction.of(member).one(StoredProfile.statement(member.owner)) { try StoredProfile(&$0) }
        guard let profile else { throw .notFound }
        return profile
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
            u.reminder_sealed, email_status(u.tenant_id, u.id)), 0) & 9007199254740991
        """

    static func statement(_ owner: Owner) -> Statement {
        Statement(
            """
            select u.email_sealed, address_is_proved(u.tenant_id, u.id), u.name_sealed, u.time_zone, u.locale, u.created_at,
                u.day_ends_minute, u.languages, u.hosted_processing_consent_at, u.recordings_retention_days, u.speech_engine, u.text_engine,
                \(versionSQL), u.vocabulary_sealed, email_status(u.tenant_id, u.id), u.reminder_sealed
            from users u where u.tenant_id = $1 and u.id = $2 and u.deleted_at is null
            """, owner.parameters)
    }

    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            emailSealed: try row.bytesOrNil(), emailVerified: try row.bool(), nameSealed: try row.bytesOrNil(),
            timeZone: try row.text(), locale: try row.textOrNil(), createdAt: try row.date(),
            preferences: Preferences(
                dayEndsMinute: try row.count(), languages: try row.texts(), hostedProcessingConsentAt: try row.dateOrNil(),
                recordingsRetentionDays: try row.countOrNil(),
                engines: EngineChoice(speech: try row.textOrNil(), text: try row.textOrNil())),
            version: try row.int(), vocabularySealed: try row.bytesOrNil(), emailStatus: try row.knownOrNil(),
            reminderSealed: try row.bytesOrNil())
    }
}
