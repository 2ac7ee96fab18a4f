import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Glibc

/// The store's folders: `tmp` and `<kind>/<tenant>/<user>/<object>`. Every step is an `openat` from the step before,
/// so no name can lead out of the root. Directories of tenants and users come and go with their objects.
struct ObjectTree: Sendable {
    let temporary: Descriptor
    private let kinds: [ObjectKey.Kind: Descriptor]
    let startedAt = Date()

    init(root path: String) throws(ObjectStoreError) {
        let root = try Descriptor.root(path)
        temporary = try root.madeDirectory("tmp")
        var kinds: [ObjectKey.Kind: Descriptor] = [:]
        for kind in [ObjectKey.Kind.staging, .audio, .export] {
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

    func facts(_ key: ObjectKey) throws(ObjectStoreError) -> ObjectFacts {
        let header = try StoredObjectReader.header(of: try file(key), key: key)
        return ObjectFacts(size: header.plainLength, keyID: header.keyID)
    }

    /// Nil when nothing whole is there.
    func size(_ key: ObjectKey) -> Result<Int64?, ObjectStoreError> {
        do throws(ObjectStoreError) {
            return .success(try facts(key).size)
        } catch .missing {
            return .success(nil)
        } catch .damaged {
            return .success(nil)
        } catch {
            return .failure(error)
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

    /// A new file in `tmp` that `wipeTemporary` of another process leaves alone, as long as it is open.
    func lockedTemporary() throws(ObjectStoreError) -> (name: String, file: Descriptor) {
        // Before it is locked it may be wiped, and then it has a lock and no name: another one.
        for _ in 0..<100 {
            let name = UUIDv7.make().lowercaseText
            let file = try temporary.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if file.lock(), try file.status().isNamed { return (name, file) }
            _ = try? temporary.unlink(name)
        }
        throw .unavailable(full: false)
    }

    /// Gives the file `name` of `source` its place, on disk for good when this returns. Throws `alreadyExists`.
    func publish(_ name: String, from source: Descriptor, as key: ObjectKey) throws(ObjectStoreError) {
        let kind = try kind(key.kind)
        // A deletion may remove a folder between our making it and linking into it; then both are made again.
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
            // All three: another writer may have made a folder that is not yet on disk. When that fails the name stays, because others have
            // seen it by now.
            try folders.user.sync()
            try folders.tenant.sync()
            try kind.sync()
            return
        }
        throw .unavailable(full: false)
    }

    /// Removes the object and then its folders when they are empty. True when it was there.
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

    /// The names of an object's folders to disk.
    func sync(_ key: ObjectKey) throws(ObjectStoreError) {
        let tenant = try kind(key.kind).directory(key.tenantName)
        try tenant.directory(key.userName).sync()
        try tenant.sync()
        try kind(key.kind).sync()
    }
}
