package import FoundationEssentials
import WireFormats

/// The token in a mailed link: whose export, until when, and a signature. Nothing of it is stored; the export's row decides whether it still works (E3).
package struct ExportLink: Sendable, Equatable {
    package let owner: Owner
    package let export: ExportID
    /// Whole seconds.
    package let expires: Int64
    private let signature: String

    package init(owner: Owner, export: ExportID, expiresAt: Date, links: any LinkSigning) {
        self.owner = owner
        self.export = export
        expires = Int64(expiresAt.timeIntervalSince1970)
        signature = links.sign(
            purpose: "export", fields: Self.fields(owner, export), expiresAt: Date(timeIntervalSince1970: Double(expires)))
    }

    /// Parses and checks the signature; expiry is the caller's, so that it can say that the link *was* good.
    package init?(token: String, links: any LinkSigning) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let named = Base64URL.decode(String(parts[0])), named.count == 48, let expires = Int64(String(parts[1])),
            expires > 0, expires < 253_402_300_800, String(expires) == parts[1],
            let tenant = UUID(octets: named[0..<16]), let user = UUID(octets: named[16..<32]), let export = UUID(octets: named[32..<48])
        else { return nil }
        owner = Owner(tenant: TenantID(tenant), user: UserID(user))
        self.export = ExportID(export)
        self.expires = expires
        signature = String(parts[2])
        guard
            links.isValid(
                signature, purpose: "export", fields: Self.fields(owner, self.export),
                expiresAt: Date(timeIntervalSince1970: Double(expires)))
        else { return nil }
    }

    package var token: String {
        "\(Base64URL.encode(owner.tenant.uuid.octets + owner.user.uuid.octets + export.uuid.octets)).\(expires).\(signature)"
    }

    private static func fields(_ owner: Owner, _ export: ExportID) -> [String] {
        [owner.tenant.description, owner.user.description, export.description]
    }
}

/// What the holder of a mailed link can do: look at it without using it up, take one download, read the zip by ranges.
package struct DownloadExport: Sendable {
    package struct Zip: Sendable {
        package var size: Int64
        package var filename: String
        package var read: @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream
    }

    let exports: any ExportStore
    let objects: any ObjectStore
    let keys: DataKeys
    let links: any LinkSigning
    let clock: WallClock

    package init(exports: any ExportStore, objects: any ObjectStore, keys: DataKeys, links: any LinkSigning, clock: WallClock) {
        self.exports = exports
        self.objects = objects
        self.keys = keys
        self.links = links
        self.clock = clock
    }

    /// The landing page's facts; a mail scanner may look as often as it likes.
    package func look(_ token: String) async throws(DiaryError) -> Export {
        let link = try check(token)
        guard let export = try await exports.linkedExport(link.export, of: link.owner) else { throw DiaryError(.linkExpired) }
        return export
    }

    /// Counts one download and gives the query of a zip address that works for ten minutes, ranges and all.
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
