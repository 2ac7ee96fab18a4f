package import FoundationEssentials

/// The name of an object in the object store. Upload URLs cover staging keys only, never a final key (decision D10).
package struct ObjectKey: Hashable, Sendable, CustomStringConvertible {
    /// Staging first, in which order `ObjectStore.removeAll(of:most:)` deletes.
    package enum Kind: String, Sendable, CaseIterable {
        case staging, audio, export
        /// A zip that is to be imported; it comes through staging as recordings do.
        case imported = "import"
    }

    package let kind: Kind
    package let tenant: TenantID
    package let user: UserID
    /// The object's id, to which its sealed segments are bound; the same in staging and after the promotion.
    package let object: UUID

    package init(kind: Kind, tenant: TenantID, user: UserID, object: UUID) {
        self.kind = kind
        self.tenant = tenant
        self.user = user
        self.object = object
    }

    package init(kind: Kind, owner: Owner, object: UUID) {
        self.init(kind: kind, tenant: owner.tenant, user: owner.user, object: object)
    }

    /// `staging/<tenant>/<user>/<object>`: only ids, because a key is visible to the operator of the store.
    package var description: String {
        let name = kind.rawValue.utf8
        let text = [UInt8](capacity: name.count + 3 * 37) { text in
            for byte in name { text.append(byte) }
            for id in [tenant.uuid, user.uuid, object] {
                text.append(UInt8(ascii: "/"))
                id.appendLowercase(to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses exactly what `description` prints; anything else (dots, escapes, upper case, another depth) is nil (D8).
    package init?(path: some StringProtocol) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let kind = Kind(rawValue: String(parts[0])), let tenant = TenantID(parts[1]),
            let user = UserID(parts[2]), let object = UUID(uuidString: String(parts[3]))
        else { return nil }
        self.init(kind: kind, tenant: tenant, user: user, object: object)
        guard description == path else { return nil }
    }
}

package enum Objects {}
package typealias ObjectID = ID<Objects>
