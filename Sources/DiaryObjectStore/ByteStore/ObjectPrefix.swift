package import DiaryCore

/// The beginning of keys: all objects of a kind, or those of one user.
package struct ObjectPrefix: Sendable, Hashable {
    package let kind: ObjectKey.Kind
    package let owner: Owner?

    package init(_ kind: ObjectKey.Kind, of owner: Owner? = nil) {
        self.kind = kind
        self.owner = owner
    }

    package func contains(_ key: ObjectKey) -> Bool {
        key.kind == kind && (owner.map { key.tenant == $0.tenant && key.user == $0.user } ?? true)
    }
}
