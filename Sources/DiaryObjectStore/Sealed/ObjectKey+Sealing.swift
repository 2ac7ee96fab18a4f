package import DiaryCore
package import DiaryCrypto
import FoundationEssentials

extension ObjectKey {
    var tenantName: String { tenant.description }
    var userName: String { user.description }
    var objectName: String { object.lowercaseText }

    /// Where `promote` puts it; itself when it is not in staging.
    package var promoted: ObjectKey {
        kind == .staging ? ObjectKey(kind: .audio, tenant: tenant, user: user, object: object) : self
    }

    /// Recordings keep their purpose when they move from staging to their final place.
    package var purpose: SealPurpose { kind == .export ? .export : .audio }
}
