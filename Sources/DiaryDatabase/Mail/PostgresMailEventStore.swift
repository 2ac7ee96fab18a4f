package import DiaryCore
import FoundationEssentials
package import PostgresClient
import WireFormats

/// Reports of mail providers, by the database role `diary_auth`. One function applies them: which account a mail was of is known to the
/// database alone.
package struct PostgresMailEventStore: MailEventStore {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Seconds for which a report is known: longer than one is taken (`MailFeedbackReading.longestAge`).
    private static let remembered = 3.0 * 24 * 60 * 60

    package func note(_ batch: HashedMailEvents) async throws(DiaryError) -> Int {
        let events = batch.events.map(\.event)
        return try await pool.forClient.one(
            """
            select note_mail_events($1, $2, array(select decode(h.hash, 'hex') from unnest($3::text[]) with ordinality as h (hash, place) order by h.place),
                $4, $5, array(select to_timestamp(t.at / 1000.0) from unnest($6::bigint[]) with ordinality as t (at, place) order by t.place),
                make_interval(secs => $7), $8)
            """,
            [
                .uuid(batch.app?.uuid), .text(batch.provider.rawValue), .texts(batch.events.map { Hex.encode($0.hash) }),
                .uuids(events.map(\.mail.uuid)), .texts(events.map(\.reason.rawValue)),
                .ints(events.map { Int64($0.at.timeIntervalSince1970 * 1000) }), .double(Self.remembered), .text(batch.requestID),
            ]
        ) { try $0.count() } ?? 0
    }
}
