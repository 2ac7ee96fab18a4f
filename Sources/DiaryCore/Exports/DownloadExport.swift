import FoundationEssentials

/// What the holder of a mailed link can do: open its page without using it up, start a download, and read the zip by ranges.
package struct DownloadExport: Sendable {
    package struct Zip: Sendable {
        package var size: Int64
        package var filename: String
        package var read: @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream
    }

    /// What the page of a link shows.
    package struct Page: Sendable {
        package var export: Export
        /// nil when the app was removed a moment ago.
        package var appName: String?
    }

    let exports: any ExportStore
    let tenants: any TenantStore
    let objects: any ObjectStore
    let keys: DataKeys
    let links: any LinkSigning
    let clock: WallClock

    /// The landing page's facts. Counts nothing, because mail scanners open links, too.
    package func look(_ token: String) async throws(DiaryError) -> Page {
        let link = try check(token)
        guard let export = try await exports.linkedExport(link.export, of: link.owner) else { throw DiaryError(.linkExpired) }
        return Page(export: export, appName: try await tenants.tenant(id: link.owner.tenant)?.name)
    }

    /// Counts one download and returns the query of a zip URL that is valid for ten minutes, for the whole zip and its ranges.
    package func take(_ token: String, from origin: RequestOrigin) async throws(DiaryError) -> String {
        let link = try check(token)
        guard try await exports.takeDownload(link.export, of: link.owner, requestID: origin.requestID) != nil else {
            throw DiaryError(.linkExpired)
        }
        let until = min(Int64(clock.now().timeIntervalSince1970) + 600, link.expires)
        let signature = links.sign(purpose: "export-file", fields: [token], expiresAt: Date(timeIntervalSince1970: Double(until)))
        return "expires=\(until)&signature=\(signature)"
    }

    package func open(_ token: String, expires: Int64, signature: String) async throws(DiaryError) -> Zip {
        let link = try check(token)
        let end = Date(timeIntervalSince1970: Double(expires))
        guard links.isValid(signature, purpose: "export-file", fields: [token], expiresAt: end) else { throw DiaryError(.linkRefused) }
        guard clock.now() < end, let export = try await exports.linkedExport(link.export, of: link.owner), let object = export.object,
            let size = export.sizeBytes
        else { throw DiaryError(.linkExpired) }
        let key = ObjectKey(kind: .export, tenant: link.owner.tenant, user: link.owner.user, object: object)
        let dataKey = try await keys.key(of: link.owner)
        return Zip(size: size, filename: "diary_\(export.from)_\(export.to).zip") { [objects] range async throws(DiaryError) in
            do throws(ObjectStoreError) { return try await objects.read(key, range: range, openedBy: dataKey) } catch {
                throw DiaryError(reading: error)
            }
        }
    }

    private func check(_ token: String) throws(DiaryError) -> ExportLink {
        guard let link = ExportLink(token: token, links: links) else { throw DiaryError(.linkRefused) }
        guard clock.now().timeIntervalSince1970 < Double(link.expires) else { throw DiaryError(.linkExpired) }
        return link
    }
}
