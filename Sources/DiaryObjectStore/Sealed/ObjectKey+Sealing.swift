package import DiaryCore
package import DiaryCrypto
import FoundationEssentials

extension ObjectKey {
    /// The final key of an object in staging; itself for another kind.
    package var promoted: ObjectKey {
        kind == .staging ? ObjectKey(kind: .audio, tenant: tenant, user: user, object: object) : self
    }

    /// Recordings keep their purpose when they are promoted.
    package var purpose: SealPurpose { kind == .export ? .export : .audio }
}
