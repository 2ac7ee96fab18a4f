package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Addresses that get no mail, and words of apps, by the database role `diary_admin`: a change and its audit record are one function.
package struct PostgresMailAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// The latest first.
    package func suppressions(of slug: String, limit: Int) async throws(DiaryError) -> [MailSuppression] {
        try await pool.forClient.all(
            "select id, reason, provider, happened_at, noted_at from admin_mail_bounces($1, $2)",
            [.text(slug), .int4(Int32(clamping: limit))]
        ) { row in
            MailSuppression(
                id: try row.text(), reason: MailBounceReason(rawValue: try row.text()), provider: try row.text(),
                happenedAt: try row.date(), notedAt: try row.date())
        }
    }

    /// - Returns: false when nothing is known of the address.
    package func lift(_ addressHash: [UInt8], of tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool {
        try await pool.forClient.one(
            "select admin_lift_mail_bounce($1, $2, $3)", [.uuid(tenant.uuid), .bytes(addressHash), .text(`operator`)]
        ) { try $0.bool() } ?? false
    }

    package func words(of slug: String) async throws(DiaryError) -> [StoredMailWords] {
        try await pool.forClient.all("select kind, locale, words, html, set_at from admin_mail_templates($1)", [.text(slug)]) { row in
            StoredMailWords(
                kind: try row.text(), words: MailWords(locale: try row.text(), text: try row.textOrNil(), html: try row.textOrNil()),
                setAt: try row.date())
        }
    }

    /// Leaves the part that is nil as it is.
    package func set(_ words: MailWords, _ kind: MailKind, of tenant: TenantID, by operator: String) async throws(DiaryError) {
        try await pool.forClient.run(
            "select admin_set_mail_template($1, $2, $3, $4, $5, $6)",
            [
                .uuid(tenant.uuid), .text(kind.rawValue), .text(words.locale), .text(words.text), .text(words.html), .text(`operator`),
            ])
    }

    /// - Returns: false when there are none.
    package func unset(_ kind: String, _ locale: String, of tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool {
        try await pool.forClient.one(
            "select admin_unset_mail_template($1, $2, $3, $4)",
            [.uuid(tenant.uuid), .text(kind), .text(locale), .text(`operator`)]
        ) { try $0.bool() } ?? false
    }
}
