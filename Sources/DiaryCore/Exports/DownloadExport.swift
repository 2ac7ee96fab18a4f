package import FoundationEssentials

/// What the holder of a mailed link can do: open its page without using it up, start a download, and read the zip by ranges. The signed-in
/// owner starts a download without the link.
package struct DownloadExport: Sendable {
    package struct Zip: Sendable {
        package var size: Int64
        package var filename: String
        /// Identifies the bytes, whichever link leads to them.
        package var object: UUID
        package var read: @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream
    }

    /// What the page of a link shows.
    package struct Page: Sendable {
        package var export: Export
        /// nil when the app was removed a moment ago.
        package var app: AppBrand?
    }

    let exports: any ExportStore
    let tenants: any TenantStore
    let objects: any ObjectStore
    let keys: DataKeys
    let links: any LinkSigning
    let publicURL: String
    let clock: WallClock

    /// The landing page's facts. Counts nothing, because mail scanners open links, too.
    package func page(_ token: String) async throws(DiaryError) -> Page {
        let link = try check(token)
        guard var export = try await exports.linkedExport(link.export, of: link.owner) else { throw DiaryError(.linkExpired) }
        // The link may end before the zip.
        export.expiresAt = export.expiresAt.map { min($0, Date(timeIntervalSince1970: Double(link.expires))) }
        return Page(export: export, app: try await tenants.tenant(id: link.owner.tenant).map { AppBrand($0) })
    }

    /// Counts one download and returns the query of a zip URL that is valid for ten minutes, for the whole zip and its ranges.
    /// - Parameter part: nil for the only one.
    package func countDownload(_ token: String, part: Int?, from origin: RequestOrigin) async throws(DiaryError) -> String {
        let link = try check(token)
        guard let taken = try await exports.takeDownload(link.export, part: part, of: link.owner, requestID: origin.requestID) else {
            if let export = try await exports.linkedExport(link.export, of: link.owner) { try Self.check(part, of: export) }
            throw DiaryError(.linkExpired)
        }
        return proof(
            of: token, part: taken.hasSeveralParts ? part : nil, until: min(Int64(clock.now().timeIntervalSince1970) + 600, link.expires))
    }

    /// Counts one download by the owner, whose URL is valid for an hour, for the whole zip and its ranges. The number of downloads that the
    /// mailed link has left is no limit here (decision D20).
    package func file(_ id: ExportID, part: Int?, for member: Member, from origin: RequestOrigin) async throws(DiaryError) -> ExportFile {
        guard let (export, taken) = try await exports.takeOwnDownload(id, part: part, by: member, requestID: origin.requestID) else {
            throw .notFound
        }
        if !taken, export.status == .ready { try Self.check(part, of: export) }
        guard taken, let zip = export.zip(part), let end = export.expiresAt else { throw export.notThere }
        let until = min(Int64(clock.now().timeIntervalSince1970) + 3_600, Int64(end.timeIntervalSince1970))
        let expiresAt = Date(timeIntervalSince1970: Double(until))
        let token = ExportLink(owner: member.owner, export: id, expiresAt: expiresAt, links: links).token
        let query = proof(of: token, part: export.hasSeveralParts ? zip.number : nil, until: until)
        return ExportFile(
            url: "\(publicURL)/exports/\(token)/file?\(query)", expiresAt: expiresAt, filename: export.filename(of: zip.number),
            sizeBytes: zip.sizeBytes)
    }

    /// - Parameter part: nil for the only one.
    package func open(_ token: String, part: Int?, expires: Int64, signature: String) async throws(DiaryError) -> Zip {
        let link = try check(token)
        let end = Date(timeIntervalSince1970: Double(expires))
        guard links.isValid(signature, purpose: "export-file", fields: Self.fields(token, part), expiresAt: end) else {
            throw DiaryError(.linkRefused)
        }
        guard clock.now() < end, let export = try await exports.linkedExport(link.export, of: link.owner), let zip = export.zip(part),
            let object = zip.object
        else { throw DiaryError(.linkExpired) }
        let key = ObjectKey(kind: .export, owner: link.owner, object: object)
        let dataKey = try await keys.key(of: link.owner)
        return Zip(size: zip.sizeBytes, filename: export.filename(of: zip.number), object: object) {
            [objects] range async throws(DiaryError) in
            do throws(ObjectStoreError) { return try await objects.read(key, range: range, openedBy: dataKey) } catch {
                throw DiaryError(reading: error)
            }
        }
    }

    /// The query of the zip's URL.
    private func proof(of token: String, part: Int?, until: Int64) -> String {
        let end = Date(timeIntervalSince1970: Double(until))
        let signature = links.sign(purpose: "export-file", fields: Self.fields(token, part), expiresAt: end)
        return "\(part.map { "part=\($0)&" } ?? "")expires=\(until)&signature=\(signature)"
    }

    private static func fields(_ token: String, _ part: Int?) -> [String] { [token] + (part.map { ["part", String($0)] } ?? []) }

    /// - Throws: for a part that a finished export does not have.
    private static func check(_ part: Int?, of export: Export) throws(DiaryError) {
        guard export.zip(part) == nil else { return }
        guard part != nil else { throw .invalid("query/part", "must be given: the export has \(export.parts.count) parts") }
        throw .invalid("query/part", "must lie in 1…\(max(1, export.parts.count))")
    }

    private func check(_ token: String) throws(DiaryError) -> ExportLink {
        guard let link = ExportLink(token: token, links: links) else { throw DiaryError(.linkRefused) }
        guard clock.now().timeIntervalSince1970 < Double(link.expires) else { throw DiaryError(.linkExpired) }
        return link
    }
}
