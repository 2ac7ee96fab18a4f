package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresProfileStore {
    package func change(
        _ patch: StoredProfilePatch, matching versions: [Int64]?, keyID: UUID?, by member: Member
    ) async throws(DiaryError) -> ProfileChange<StoredProfile> {
        let (setsName, name) = Self.parameters(patch.nameSealed)
        let (setsLocale, locale) = Self.parameters(patch.rest.locale)
        let (setsSpeech, speech) = Self.parameters(patch.rest.speechEngine)
        let (setsText, text) = Self.parameters(patch.rest.textEngine)
        let (setsWords, words) = Self.parameters(patch.vocabularySealed)
        let (setsReminder, reminder) = Self.parameters(patch.reminderSealed)
        let (setsRetention, retention) = Self.parameters(patch.rest.recordingsRetentionDays)
        return try await transaction.of(member).run([
            // A new end of the day moves entries (trigger `users_day_ends`), and a consent queues those that waited for it: the account's
            // lock first, as for every change of entries.
            patch.rest.dayEndsMinute == nil && patch.rest.hostedProcessingConsent != true
                ? .nothing
                : Statement("select from user_sync where tenant_id = $1 and user_id = $2 for update", member.owner.parameters),
            // The comparison below sees what a concurrent change wrote.
            versions == nil
                ? .nothing
                : Statement("select from users where tenant_id = $1 and id = $2 for no key update", member.owner.parameters),
            Statement(
                """
                with before as (
                    select u.id, u.hosted_processing_consent_at as consent_at from users u where u.tenant_id = $1 and u.id = $2 for no key update),
                changed as (
                update users u set
                    name_sealed = case when $3 then $4 else name_sealed end, locale = case when $5 then $6 else locale end,
                    time_zone = coalesce((select zone_name($7::text) where now() at time zone $7::text is not null), time_zone),
                    day_ends_minute = coalesce($8, day_ends_minute), languages = coalesce($9, languages),
                    speech_engine = case when $12 then $13 else speech_engine end,
                    text_engine = case when $14 then $15 else text_engine end,
                    hosted_processing_consent_at = case when $16 then coalesce(b.consent_at, clock_timestamp()) when not $16 then null
                        else u.hosted_processing_consent_at end,
                    vocabulary_sealed = case when $20 then $21 else u.vocabulary_sealed end,
                    recordings_retention_days = case when $22 then $23 else u.recordings_retention_days end,
                    reminder_sealed = case when $24 then $25 else u.reminder_sealed end
                from before b
                where b.id = u.id and u.tenant_id = $1 and u.id = $2 and u.deleted_at is null and ($11::text[] is null or (\(StoredProfile.versionSQL))::text = any ($11))
                    and ($10::uuid is null or exists (select from user_sync where tenant_id = $1 and user_id = $2 and key_id = $10))
                returning u.id, u.hosted_processing_consent_at as consent_at),
                noted as (
                    insert into audit_events (tenant_id, user_id, kind, actor, session_id)
                    select $1, $2, case when c.consent_at is null then $17 else $18 end, 'member', $19
                    from changed c join before b on b.id = c.id where (c.consent_at is null) <> (b.consent_at is null))
                select id from changed
                """,
                member.owner.parameters + [
                    .bool(setsName), .bytes(name), .bool(setsLocale), .text(locale), .text(patch.rest.timeZone),
                    .int4(patch.rest.dayEndsMinute.map { Int32(clamping: $0) }), .texts(patch.rest.languages),
                    .uuid(keyID), .texts(versions?.map { String($0) }),
                    .bool(setsSpeech), .text(speech), .bool(setsText), .text(text),
                    .bool(patch.rest.hostedProcessingConsent), .text(AuditEvent.Kind.hostedProcessingWithdrawn.rawValue),
                    .text(AuditEvent.Kind.hostedProcessingAllowed.rawValue), .uuid(member.session.uuid),
                    .bool(setsWords), .bytes(words), .bool(setsRetention), .int4(retention.map { Int32(clamping: $0) }),
                    .bool(setsReminder), .bytes(reminder),
                ]),
            StoredProfile.statement(member.owner),
            patch.rest.hostedProcessingConsent == true ? ConsentedEntries.queueing(of: member.owner) : .nothing,
        ]) { rows in
            guard var row = rows.first(3) else { throw DiaryError.unauthorized }
            let now = try StoredProfile(&row)
            if rows.first(2) != nil { return .changed(now) }
            if let versions, !versions.contains(now.version) { return .otherVersion(now) }
            // The key that sealed name, vocabulary or reminder is not the live one: the account is being erased.
            throw DiaryError.unauthorized
        }
    }

    private static func parameters<Value>(_ patch: Patch<Value>) -> (sets: Bool, value: Value?) {
        switch patch {
        case .absent: (false, nil)
        case .clear: (true, nil)
        case .set(let value): (true, value)
        }
    }

    package func statistics(of member: Member, at now: Date) async throws(DiaryError) -> AccountStatistics {
        try await transaction.of(member).run([
            Statement(
                """
                with days as materialized (
                    select local_date as day, count(*) filter (where kind = 'voice') as recordings, count(*) filter (where kind = 'text') as texts,
                        coalesce(sum(duration_s), 0) as seconds, coalesce(sum(size_bytes) filter (where audio_removed_at is null), 0) as bytes
                    from entries where tenant_id = $1 and user_id = $2 and deleted_at is null and status <> 'awaiting_upload'
                        and not (status = 'failed' and stage is not distinct from $3)
                    group by local_date),
                -- Of days without a gap the difference is the same.
                runs as (
                    select min(n.day) as first, max(n.day) as last
                    from (select day, day - (row_number() over (order by day))::int as run from days) n group by n.run),
                streak as (
                    select max(r.last - r.first + 1) as longest,
                        coalesce(max(least(r.last, t.day) - r.first + 1) filter (where r.first <= t.day and r.last >= t.day - 1), 0) as current
                    from runs r, (select \(OwnDay.today("u", at: "$4")) as day from users u where u.tenant_id = $1 and u.id = $2) t)
                select extract(year from d.day)::int, extract(month from d.day)::int, sum(d.recordings)::bigint, sum(d.texts)::bigint,
                    sum(d.seconds)::double precision, sum(d.bytes)::bigint, s.current, s.longest
                from days d cross join streak s
                group by 1, 2, s.current, s.longest order by 1 desc, 2 desc
                """, member.owner.parameters + [.text(JobKind.verify.rawValue), .timestamp(now)]),
            Statement(
                """
                select t.day, coalesce(d.audio_ms, 0), coalesce(d.input_tokens, 0), coalesce(d.output_tokens, 0), coalesce(d.cost, 0), s.stored_bytes
                from user_sync s cross join (select ($3::timestamptz at time zone 'UTC')::date as day) t
                left join usage_days d on d.tenant_id = s.tenant_id and d.user_id = s.user_id and d.day = t.day
                where s.tenant_id = $1 and s.user_id = $2
                """, member.owner.parameters + [.timestamp(now)]),
        ]) { rows in
            let months = try rows[0].all { row in try StatisticsRow(&row) }
            return AccountStatistics(
                months: months.map(\.month),
                usage: try rows.one(1) { row in
                    AccountUsage(day: CalendarDay(try row.day()), today: try UsageAmount(&row), storedBytes: try row.int())
                } ?? AccountUsage(), streak: months.first?.streak ?? AccountStatistics.Streak())
        }
    }

    package func events(
        _ kind: AuditEvent.Kind?, before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [AuditEvent] {
        // Skips kinds written by a newer version.
        try await transaction.of(member).all(
            """
            select id, at, kind, actor, session_id, request_id from audit_events
            where tenant_id = $1 and user_id = $2 and kind = any ($3)
                and (at, id) < (coalesce($4, 'infinity'::timestamptz), coalesce($5, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
            order by at desc, id desc limit $6
            """,
            member.owner.parameters + [
                .texts((kind.map { [$0] } ?? AuditEvent.Kind.allCases).map(\.rawValue)), .timestamp(position?.at), .uuid(position?.id),
                .int(limit),
            ]
        ) { row in
            AuditEvent(
                id: try row.uuid(), at: try row.date(), kind: try row.known(), actor: try row.known(),
                session: try row.uuidOrNil().map { SessionID($0) }, requestID: try row.textOrNil())
        }
    }
}

private struct StatisticsRow {
    let month: AccountStatistics.Month
    /// The same in each row.
    let streak: AccountStatistics.Streak

    init(_ row: inout Row) throws(DatabaseError) {
        month = AccountStatistics.Month(
            year: try row.count(), month: try row.count(),
            counts: AccountStatistics.Counts(
                recordings: try row.int(), texts: try row.int(), durationSeconds: try row.double(), sizeBytes: try row.int()))
        streak = AccountStatistics.Streak(current: try row.count(), longest: try row.count())
    }
}
