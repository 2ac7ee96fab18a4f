package import DiaryCore
package import PostgresClient

/// What `diary exports create`, `list` and `show` do, by functions that the database role `diary_admin` may call.
package struct PostgresExportAdministration: Sendable {
    package let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// An export whose mail goes to the account's own verified address (decision D11), with its job. Writes an event of the account, and an
    /// act of the app with the operator's name.
    /// - Returns: nil when there is no such account.
    package func create(
        _ export: AdministeredExport, for owner: Owner, by operator: String
    ) async throws(DiaryError) -> AdministeredExport.Outcome? {
        let contents = export.contents
        return try await pool.forClient.one(
            "select admin_create_export($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            owner.parameters + [
                .uuid(export.id.uuid), .date(export.from.description), .date(export.to.description), .bool(contents.includeAudio),
                .texts(contents.formats.map(\.rawValue).sorted()), .text(contents.layer.rawValue), .text(export.kind?.rawValue),
                .int4(Int32(clamping: export.maxDownloads)), .uuid(export.job.id.uuid), .text(export.job.kind.rawValue), .text(`operator`),
            ]
        ) { try $0.knownOrNil() } ?? nil
    }

    /// Newest first.
    /// - Parameter export: nil: all.
    package func exports(_ export: ExportID?, of owner: Owner, limit: Int) async throws(DiaryError) -> [ExportOverview] {
        try await pool.forClient.all(
            """
            select id, from_day, to_day, include_audio, formats, layer, kind, has_tags, status, code, mail_status, size_bytes, entry_count, created_at,
                ready_at, expires_at, downloads, max_downloads, revoked_at
            from admin_exports($1, $2, $3, $4)
            """, owner.parameters + [.uuid(export?.uuid), .int4(Int32(clamping: limit))]
        ) { try ExportOverview(&$0) }
    }
}

extension ExportOverview {
    fileprivate init(_ row: inout Row) throws(DatabaseError) {
        let (id, from, to) = (ExportID(try row.uuid()), try row.calendarDay(), try row.calendarDay())
        self.init(
            id: id, from: from == CalendarDay.all.lowerBound ? nil : from, to: to == CalendarDay.all.upperBound ? nil : to,
            contents: ExportContents(
                includeAudio: try row.bool(), formats: try Set<ExportFormat>(stored: row.texts()), layer: try row.known()),
            kind: try row.knownOrNil(), hasTags: try row.bool(), status: try row.known(), code: try row.knownOrNil(),
            mailStatus: try row.known(), sizeBytes: try row.intOrNil(), entryCount: try row.intOrNil(), createdAt: try row.date(),
            readyAt: try row.dateOrNil(), expiresAt: try row.dateOrNil(), downloads: try row.int(), maxDownloads: try row.int(),
            revokedAt: try row.dateOrNil())
    }
}
