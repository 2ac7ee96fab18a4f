import DiaryCore

/// Names of objects in a bucket: a prefix of the installation, then the object's key.
struct S3Names: Sendable {
    /// Empty, or it ends with a slash.
    let prefix: String

    subscript(key: ObjectKey) -> String { prefix + key.description }

    subscript(prefix: ObjectPrefix) -> String {
        let owner = prefix.owner.map { "\($0.tenant)/\($0.user)/" } ?? ""
        return "\(self.prefix)\(prefix.kind.rawValue)/\(owner)"
    }

    /// Nil for a name that this store gives to no object.
    func key(of name: String) -> ObjectKey? {
        guard name.hasPrefix(prefix) else { return nil }
        return ObjectKey(path: name.dropFirst(prefix.count))
    }

    var sweepMark: String { prefix + "sweep-mark" }
}
