import DiaryCore
import FoundationEssentials

extension ObjectKey {
    init(kind: Kind, owner: Owner, object: UUID) {
        self.init(kind: kind, tenant: owner.tenant, user: owner.user, object: object)
    }
}
