package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Addresses that get no mail, and words of apps, by the database role `diary_admin`: a change and its audit record are one function.
package struct PostgresMailAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// The latest first.
    package func suppressions(of slug: String, limit: Int) async throws(DiaryError) -> [MailSuppression] {
        let rows = try await run(
            SQL("select id, reason, provider, happened_at, noted_at from admin_mail_bounces($1, $2)"),
            [.text(slug), .int4(Int32(clamping: limit))])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                MailSuppression(
                    id: try row.text(0), reason: MailBounceReason(rawValue: try row.text(1)), provider: try row.text(2),
                    happenedAt: try row.date(3), notedAt: try row.date(4))
            }
        }
    }

    /// - Returns: false when nothing is known of the address.
    package func lift(_ addressHash: [UInt8], of tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool {
        try await bool(SQL("select admin_lift_mail_bounce($1, $2, $3)"), [.uuid(tenant.uuid), .bytes(addressHash), .text(`operator`)])
    }

    package func words(of slug: String) async throws(DiaryError) -> [StoredMailWords] {
        let rows = try await run(SQL("select kind, locale, words, html, set_at from admin_mail_templates($1)"), [.text(slug)])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                StoredMailWords(
                    kind: try row.text(0),
                    words: MailWords(locale: try row.text(1), text: try row.textOrNil(2), html: try row.textOrNil(3)),
                    setAt: try row.date(4))
            }
        }
    }

    /// Leaves the part that is nil as it is.
    package func set(_ words: MailWords, _ kind: MailKind, of tenant: TenantID, by operator: String) async throws(DiaryError) {
        _ = try await run(
            SQL("select admin_set_mail_template($1, $2, $3, $4, $5, $6)"),
            [
                .uuid(tenant.uuid), .text(kind.rawValue), .text(words.locale), .text(words.text), .text(words.html), .text(`operator`),
            ])
    }

    /// - Returns: false when there are none.
    package func unset(_ kind: String, _ locale: String, of tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool {
        try await bool(
            SQL("select admin_unset_mail_template($1, $2, $3, $4)"),
            [.uuid(tenant.uuid), .text(kind), .text(locale), .text(`operator`)])
    }

    private func bool(_ sql: SQL, _ parameters: [Parameter]) async throws(DiaryError) -> Bool {
        guard let row = try await run(sql, parameters).first else { return false }
        return try decoding { () throws(DatabaseError) in try row.bool(0) }
    }

    private func run(_ sql: SQL, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}
