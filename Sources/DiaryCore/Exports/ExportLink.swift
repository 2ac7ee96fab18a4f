package import FoundationEssentials
import WireFormats

/// The token in a mailed link: owner, export, expiry and a signature. It is not stored; the export's row decides whether it is valid (E3).
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

    /// Parses and checks the signature. The caller checks the expiry, so that it can answer that the link *was* valid.
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
