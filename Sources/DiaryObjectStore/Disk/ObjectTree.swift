import DiaryCore
import FoundationEssentials
import Glibc

/// The store's folders: `tmp` and `<kind>/<tenant>/<user>/<object>`. Every step is an `openat` relative to the folder above, so no name
/// leads out of the root. Folders of tenants and users are made and removed with their objects.
struct ObjectTree: Sendable {
    let root: Descriptor
    let temporary: Descriptor
    private let kinds: [ObjectKey.Kind: Descriptor]
    let startedAt = Date()

    init(root path: String) throws(ObjectStoreError) {
        root = try Descriptor.root(path)
        temporary = try root.madeDirectory("tmp")
        var kinds: [ObjectKey.Kind: Descriptor] = [:]
        for kind in ObjectKey.Kind.allCases {
            kinds[kind] = try root.madeDirectory(kind.rawValue)
        }
        self.kinds = kinds
        try root.sync()
    }

    func kind(_ kind: ObjectKey.Kind) throws(ObjectStoreError) -> Descriptor {
        guard let descriptor = kinds[kind] else { throw .unavailable(full: false) }
        return descriptor
    }

    /// The existing folder of a user. Throws `missing`.
    func folder(_ key: ObjectKey) throws(ObjectStoreError) -> Descriptor {
        try kind(key.kind).directory(key.tenantName).directory(key.userName)
    }

    /// The object's file for reading. Throws `missing`, or `damaged` when it is anything but a regular file.
    func file(_ key: ObjectKey) throws(ObjectStoreError) -> Descriptor {
        let file = try folder(key).open(key.objectName, flags: O_RDONLY)
        guard try file.status().isRegular else { throw .damaged }
        return file
    }

    /// Nil when there is no such object.
    func object(_ key: ObjectKey, leading: Int) throws(ObjectStoreError) -> ByteObject? {
        do throws(ObjectStoreError) {
            guard leading > 0 else {
                return try status(key).map { ByteObject(key: key, size: $0.size, storedAt: $0.changedAt) }
            }
            let file = try file(key)
            let status = try file.status()
            return ByteObject(key: key, size: status.size, storedAt: status.changedAt, leading: try file.read(at: 0, count: leading))
        } catch .missing {
            return nil
        }
    }

    /// Nil when there is no such object.
    func status(_ key: ObjectKey) throws(ObjectStoreError) -> FileStatus? {
        do throws(ObjectStoreError) {
            guard let status = try folder(key).status(of: key.objectName) else { return nil }
            guard status.isRegular else { throw .damaged }
            return status
        } catch .missing {
            return nil
        }
    }

    /// A new file in `tmp` that `wipeTemporary` of another process does not remove while it is open.
    func lockedTemporary(prefix: String = "") throws(ObjectStoreError) -> (name: String, file: Descriptor) {
        // It may be wiped before it is locked; it then has no name, and another one is made.
        for _ in 0..<100 {
            let name = prefix + UUIDv7.make().lowercaseText
            let file = try temporary.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if file.lock(), try file.status().isNamed { return (name, file) }
            _ = try? temporary.unlink(name)
        }
        throw .unavailable(full: false)
    }

    /// Links the file `name` of `source` to the object's name, durably when this returns. Throws `alreadyExists`.
    func publish(_ name: String, from source: Descriptor, as key: ObjectKey) throws(ObjectStoreError) {
        let kind = try kind(key.kind)
        // A deletion may remove a folder after it was made and before the link; then both are made again.
        for _ in 0..<100 {
            guard try source.status(of: name) != nil else { throw .missing }
            let folders: (tenant: Descriptor, user: Descriptor)
            do throws(ObjectStoreError) {
                let tenant = try kind.madeDirectory(key.tenantName)
                folders = (tenant, try tenant.madeDirectory(key.userName))
                try source.link(name, into: folders.user, as: key.objectName)
            } catch .missing {
                continue
            }
            // All three: another writer may have made a folder that is not yet durable. When a sync fails the name stays, because readers
            // may have seen it.
            try folders.user.sync()
            try folders.tenant.sync()
            try kind.sync()
            return
        }
        throw .unavailable(full: false)
    }

    /// See `ByteStore.move`.
    func move(_ source: ObjectKey, to target: ObjectKey) throws(ObjectStoreError) {
        guard let status = try status(source) else {
            guard try self.status(target) != nil else { throw .missing }
            return
        }
        guard source != target else { return }
        do throws(ObjectStoreError) {
            try publish(source.objectName, from: try folder(source), as: target)
        } catch .alreadyExists {
            // The same file at both keys: an earlier move was interrupted.
            guard try self.status(target)?.identity == status.identity else { throw .alreadyExists }
            try sync(target)
        }
        try remove(source)
    }

    /// Removes the object, then its folders when they are empty. True when it was there.
    @discardableResult
    func remove(_ key: ObjectKey) throws(ObjectStoreError) -> Bool {
        do throws(ObjectStoreError) {
            let tenant = try kind(key.kind).directory(key.tenantName)
            let user = try tenant.directory(key.userName)
            let removed = try user.unlink(key.objectName)
            if removed { try user.sync() }
            try prune(tenant: key.tenantName, user: key.userName, of: key.kind, tenantFolder: tenant)
            return removed
        } catch .missing {
            return false
        }
    }

    /// Removes a user's folder, then the tenant's, where they are empty.
    func prune(tenant: String, user: String, of kind: ObjectKey.Kind, tenantFolder: Descriptor) throws(ObjectStoreError) {
        try tenantFolder.removeIfEmpty(user)
        try self.kind(kind).removeIfEmpty(tenant)
    }

    /// Makes the directory entries of an object durable.
    func sync(_ key: ObjectKey) throws(ObjectStoreError) {
        let tenant = try kind(key.kind).directory(key.tenantName)
        try tenant.directory(key.userName).sync()
        try tenant.sync()
        try kind(key.kind).sync()
    }
}

extension ObjectKey {
    var tenantName: String { tenant.description }
    var userName: String { user.description }
    var objectName: String { object.lowercaseText }
}
