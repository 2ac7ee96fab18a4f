package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresProfileStore {
    package func change(_ patch: StoredProfilePatch, keyID: UUID?, by member: Member) async throws(DiaryError) -> StoredProfile {
        let (setsName, name) = Self.parameters(patch.nameSealed)
        let (setsLocale, locale) = Self.parameters(patch.rest.locale)
        let rows = try await transaction.run(
            member,
            [
                // A new end of the day moves entries (trigger `users_day_ends`): the account's lock first, as for every change of entries.
                patch.rest.dayEndsMinute == nil
                    ? .nothing
                    : Statement("select from user_sync where tenant_id = $1 and user_id = $2 for update", member.owner.parameters),
                Statement(
                    """
                    update users set
                        name_sealed = case when $3 then $4 else name_sealed end, locale = case when $5 then $6 else locale end,
                        time_zone = coalesce((select zone_name($7::text) where now() at time zone $7::text is not null), time_zone),
                        day_ends_minute = coalesce($8, day_ends_minute), languages = coalesce($9, languages),
                        training_consent = coalesce($10, training_consent)
                    where tenant_id = $1 and id = $2 and deleted_at is null
                        and ($11::uuid is null or exists (select from user_sync where tenant_id = $1 and user_id = $2 and key_id = $11))
                    returning id
                    """,
                    member.owner.parameters + [
                        .bool(setsName), .bytes(name), .bool(setsLocale), .text(locale), .text(patch.rest.timeZone),
                        .int4(patch.rest.dayEndsMinute.map { Int32(clamping: $0) }), .texts(patch.rest.languages),
                        .bool(patch.rest.trainingConsent), .uuid(keyID),
                    ]),
                StoredProfile.statement(member.owner),
            ])
        // The key that sealed the name is not the live one: the account is being erased.
        guard rows.first(1) != nil, let row = rows.first(2) else { throw .unauthorized }
        return try decoding { () throws(DatabaseError) in try StoredProfile(row) }
    }

    private static func parameters<Value>(_ patch: Patch<Value>) -> (sets: Bool, value: Value?) {
        switch patch {
        case .absent: (false, nil)
        case .clear: (true, nil)
        case .set(let value): (true, value)
        }
    }

    package func statistics(of member: Member) async throws(DiaryError) -> AccountStatistics {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select extract(year from local_date)::int, extract(month from local_date)::int, count(*) filter (where kind = 'voice'),
                        count(*) filter (where kind = 'text'), coalesce(sum(duration_s), 0)::double precision,
                        coalesce(sum(size_bytes), 0)::bigint
                    from entries where tenant_id = $1 and user_id = $2 and deleted_at is null and status <> 'awaiting_upload'
                        and not (status = 'failed' and stage is not distinct from $3)
                    group by 1, 2 order by 1 desc, 2 desc
                    """, member.owner.parameters + [.text(JobKind.verify.rawValue)])
            ])
        return try decoding { () throws(DatabaseError) in
            AccountStatistics(
                months: try rows[0].map { row throws(DatabaseError) in
                    AccountStatistics.Month(
                        year: Int(try row.int(0)), month: Int(try row.int(1)),
                        counts: AccountStatistics.Counts(
                            recordings: try row.int(2), texts: try row.int(3), durationSeconds: try row.double(4),
                            sizeBytes: try row.int(5)))
                })
        }
    }

    package func events(before position: EventPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [AuditEvent] {
        let rows = try await transaction.run(
            member,
            [
                // Skips kinds written by a newer version.
                Statement(
                    """
                    select id, at, kind, actor, session_id, request_id from audit_events
                    where tenant_id = $1 and user_id = $2 and kind = any ($3)
                        and (at, id) < (coalesce($4, 'infinity'::timestamptz), coalesce($5, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
                    order by at desc, id desc limit $6
                    """,
                    member.owner.parameters + [
                        .texts(AuditEvent.Kind.allCases.map(\.rawValue)), .timestamp(position?.at), .uuid(position?.id), .int(limit),
                    ])
            ])
        return try decoding { () throws(DatabaseError) in
            try rows[0].map { row throws(DatabaseError) in
                AuditEvent(
                    id: try row.uuid(0), at: try row.date(1), kind: try row.known(2), actor: try row.known(3),
                    session: try row.uuidOrNil(4).map { SessionID($0) }, requestID: try row.textOrNil(5))
            }
        }
    }
}
