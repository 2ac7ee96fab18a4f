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
        let rows = try await run(
            "select admin_create_export($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            owner.parameters + [
                .uuid(export.id.uuid), .date(export.from.description), .date(export.to.description), .bool(contents.includeAudio),
                .texts(contents.formats.map(\.rawValue).sorted()), .text(contents.layer.rawValue), .text(export.kind?.rawValue),
                .int4(Int32(clamping: export.maxDownloads)), .uuid(export.job.id.uuid), .text(export.job.kind.rawValue), .text(`operator`),
            ])
        return try decoding { () throws(DatabaseError) in try rows.first?.knownOrNil(0) }
    }

    /// Newest first.
    /// - Parameter export: nil: all.
    package func exports(_ export: ExportID?, of owner: Owner, limit: Int) async throws(DiaryError) -> [ExportOverview] {
        let rows = try await run(
            """
            select id, from_day, to_day, include_audio, formats, layer, kind, has_tags, status, code, mail_status, size_bytes, entry_count, created_at,
                ready_at, expires_at, downloads, max_downloads, revoked_at
            from admin_exports($1, $2, $3, $4)
            """, owner.parameters + [.uuid(export?.uuid), .int4(Int32(clamping: limit))])
        return try decoding { () throws(DatabaseError) in try rows.map { row throws(DatabaseError) in try ExportOverview(row) } }
    }

    private func run(_ sql: String, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}

extension ExportOverview {
    fileprivate init(_ row: Row) throws(DatabaseError) {
        guard let from = CalendarDay(try row.day(1)), let to = CalendarDay(try row.day(2)) else { throw DatabaseError(.decoding) }
        self.init(
            id: ExportID(try row.uuid(0)), from: from, to: to,
            contents: ExportContents(
                includeAudio: try row.bool(3), formats: try Set<ExportFormat>(stored: row.texts(4)), layer: try row.known(5)),
            kind: try row.knownOrNil(6), hasTags: try row.bool(7), status: try row.known(8), code: try row.knownOrNil(9),
            mailStatus: try row.known(10), sizeBytes: try row.intOrNil(11), entryCount: try row.intOrNil(12), createdAt: try row.date(13),
            readyAt: try row.dateOrNil(14), expiresAt: try row.dateOrNil(15), downloads: try row.int(16), maxDownloads: try row.int(17),
            revokedAt: try row.dateOrNil(18))
    }
}
