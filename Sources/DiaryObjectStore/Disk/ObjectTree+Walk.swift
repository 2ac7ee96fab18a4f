import DiaryCore
import FoundationEssentials
import Glibc

extension ObjectTree {
    func objects(_ prefix: ObjectPrefix, olderThan: Date, after: ObjectKey?, limit: Int) throws(ObjectStoreError) -> ByteListing {
        var found: [ByteObject] = []
        var seen = 0
        let kind = prefix.kind
        let root = try self.kind(kind)
        // Names are lower-case UUIDs, so that their order is the keys' order. The store made no others; they are passed over.
        let tenants = if let owner = prefix.owner { [owner.tenant.description] } else { try root.names() }
        for tenantName in tenants {
            guard let tenant = TenantID(tenantName), after.map({ tenantName >= $0.tenantName }) ?? true,
                let tenantFolder = try present({ () throws(ObjectStoreError) in try root.directory(tenantName) })
            else { continue }
            let isFirstTenant = after?.tenantName == tenantName
            let users = if let owner = prefix.owner { [owner.user.description] } else { try tenantFolder.names() }
            for userName in users {
                guard let user = UserID(userName), !isFirstTenant || after.map({ userName >= $0.userName }) ?? true,
                    let folder = try present({ () throws(ObjectStoreError) in try tenantFolder.directory(userName) })
                else { continue }
                let isFirstUser = isFirstTenant && after?.userName == userName
                for name in try folder.names() {
                    guard let object = UUID(uuidString: name), !isFirstUser || after.map({ name > $0.objectName }) ?? true
                    else { continue }
                    let key = ObjectKey(kind: kind, tenant: tenant, user: user, object: object)
                    guard key.description == "\(kind.rawValue)/\(tenantName)/\(userName)/\(name)" else { continue }
                    seen += 1
                    if let status = try folder.status(of: name), status.isRegular, status.changedAt < olderThan {
                        found.append(ByteObject(key: key, size: status.size, storedAt: status.changedAt))
                    }
                    if seen >= limit { return ByteListing(objects: found, next: key) }
                }
            }
        }
        return ByteListing(objects: found, next: nil)
    }

    /// Removes up to `most` files of a user's folder, whatever their names, and the folders that are empty then. One fsync for all.
    /// - Returns: how many there were.
    func removeAll(_ kind: ObjectKey.Kind, of owner: Owner, most: Int) throws(ObjectStoreError) -> Int {
        let (tenant, user) = (owner.tenant.description, owner.user.description)
        do throws(ObjectStoreError) {
            let tenantFolder = try self.kind(kind).directory(tenant)
            let folder = try tenantFolder.directory(user)
            var removed = 0
            for name in try folder.names().prefix(max(0, most)) where try folder.unlink(name) { removed += 1 }
            if removed > 0 { try folder.sync() }
            try prune(tenant: tenant, user: user, of: kind, tenantFolder: tenantFolder)
            return removed
        } catch .missing {
            return 0
        }
    }

    func wipeTemporary() throws(ObjectStoreError) -> Int {
        var wiped = 0
        for name in try temporary.names() {
            guard let status = try temporary.status(of: name), status.isRegular, status.changedAt < startedAt,
                let file = try present({ () throws(ObjectStoreError) in try temporary.open(name, flags: O_RDONLY) }), file.lock()
            else { continue }
            if try temporary.unlink(name) { wiped += 1 }
        }
        return wiped
    }

    /// Nil when the folder or file was removed meanwhile or is a link.
    private func present(_ open: () throws(ObjectStoreError) -> Descriptor) throws(ObjectStoreError) -> Descriptor? {
        do throws(ObjectStoreError) {
            return try open()
        } catch .missing {
            return nil
        } catch .damaged {
            return nil
        }
    }
}
