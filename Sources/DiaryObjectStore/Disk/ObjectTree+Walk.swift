import DiaryCore
import FoundationEssentials
import Glibc

extension ObjectTree {
    func objects(_ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?, limit: Int) throws(ObjectStoreError) -> ObjectListing {
        var found: [StoredObject] = []
        var seen = 0
        let root = try self.kind(kind)
        // Names are lower-case UUIDs, so that their order is the keys' order. Others are not ours and are passed over.
        for tenantName in try root.names() {
            guard let tenant = TenantID(tenantName), after.map({ tenantName >= $0.tenantName }) ?? true,
                let tenantFolder = try present({ () throws(ObjectStoreError) in try root.directory(tenantName) })
            else { continue }
            let isFirstTenant = after?.tenantName == tenantName
            for userName in try tenantFolder.names() {
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
                        found.append(StoredObject(key: key, storedAt: status.changedAt))
                    }
                    if seen >= limit { return ObjectListing(objects: found, next: key) }
                }
            }
        }
        return ObjectListing(objects: found, next: nil)
    }

    func names(_ kind: ObjectKey.Kind, tenant: TenantID, user: UserID) throws(ObjectStoreError) -> [String] {
        do throws(ObjectStoreError) {
            return try self.kind(kind).directory(tenant.description).directory(user.description).names()
        } catch .missing {
            return []
        }
    }

    /// Removes up to `most` objects of a user, and their folder when it is empty then.
    /// - Returns: how many there were.
    func remove(_ kind: ObjectKey.Kind, tenant: TenantID, user: UserID, most: Int) throws(ObjectStoreError) -> Int {
        do throws(ObjectStoreError) {
            let tenantFolder = try self.kind(kind).directory(tenant.description)
            let folder = try tenantFolder.directory(user.description)
            var removed = 0
            for name in try folder.names().prefix(most) where try folder.unlink(name) { removed += 1 }
            if removed > 0 { try folder.sync() }
            try prune(tenant: tenant.description, user: user.description, of: kind, tenantFolder: tenantFolder)
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

    /// Nil for a folder or file that is gone meanwhile or is a link.
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
