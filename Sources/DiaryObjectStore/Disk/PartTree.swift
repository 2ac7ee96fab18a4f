import DiaryCore
import FoundationEssentials
import Glibc

/// The folder of parts: `parts/<tenant>/<user>/<object>.<upload>/<number>`. As in `ObjectTree`, every step is an `openat` relative to the folder above.
struct PartTree: Sendable {
    let tree: ObjectTree
    private let root: Descriptor

    init(in tree: ObjectTree) throws(ObjectStoreError) {
        self.tree = tree
        root = try tree.root.madeDirectory("parts")
        try tree.root.sync()
    }

    /// Moves the file `name` of `tmp` to the part's name, durably when this returns, in place of an earlier one.
    func publish(_ name: String, as part: PartKey) throws(ObjectStoreError) {
        let (set, file) = try Self.names(part)
        // A deletion may remove a folder after it was made and before the rename; then all are made again.
        for _ in 0..<100 {
            guard try tree.temporary.status(of: name) != nil else { throw .missing }
            let folders: (tenant: Descriptor, user: Descriptor, set: Descriptor)
            do throws(ObjectStoreError) {
                let tenant = try root.madeDirectory(part.key.tenantName)
                let user = try tenant.madeDirectory(part.key.userName)
                folders = (tenant, user, try user.madeDirectory(set))
                try tree.temporary.rename(name, into: folders.set, as: file)
            } catch .missing {
                continue
            }
            try folders.set.sync()
            try folders.user.sync()
            try folders.tenant.sync()
            try root.sync()
            return
        }
        throw .unavailable(full: false)
    }

    func file(_ part: PartKey) throws(ObjectStoreError) -> Descriptor {
        let (set, name) = try Self.names(part)
        let file = try user(part.key).directory(set).open(name, flags: O_RDONLY)
        guard try file.status().isRegular else { throw .damaged }
        return file
    }

    /// - Throws: `missing` for an upload's name that this store does not give: the upload was begun in another store.
    func sizes(_ key: ObjectKey, _ upload: String) throws(ObjectStoreError) -> [(number: Int, size: Int64)] {
        let set = try Self.set(key, upload)
        do throws(ObjectStoreError) {
            let folder = try user(key).directory(set)
            var found: [(number: Int, size: Int64)] = []
            for name in try folder.names() {
                guard let number = Int(name), Self.name(number) == name, let status = try folder.status(of: name), status.isRegular else {
                    continue
                }
                found.append((number, status.size))
            }
            return found
        } catch .missing {
            return []
        }
    }

    /// - Parameter upload: nil for every upload of the key.
    func remove(_ key: ObjectKey, _ upload: String?) throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            let folder = try user(key)
            let sets =
                if let upload { [try Self.set(key, upload)] } else { try folder.names().filter { $0.hasPrefix(key.objectName + ".") } }
            for set in sets { _ = try remove(set, of: folder, most: .max) }
            try prune(key.tenantName, key.userName)
        } catch .missing {}
    }

    /// Removes up to `most` files of a user, and the folders that are empty then.
    func removeAll(of owner: Owner, most: Int) throws(ObjectStoreError) -> Int {
        let (tenant, user) = (owner.tenant.description, owner.user.description)
        do throws(ObjectStoreError) {
            let folder = try root.directory(tenant).directory(user)
            var removed = 0
            for set in try folder.names() where removed < most {
                do throws(ObjectStoreError) {
                    removed += try remove(set, of: folder, most: most - removed)
                } catch .damaged {
                    // A file in the place of a folder.
                    if try folder.unlink(set) { removed += 1 }
                }
            }
            try prune(tenant, user)
            return removed
        } catch .missing {
            return 0
        }
    }

    func list(olderThan: Date, after: StoredPartUpload?, limit: Int) throws(ObjectStoreError) -> StoredPartUploads {
        let start = after.map { Self.path($0.key.tenantName, $0.key.userName, "\($0.key.objectName).\($0.id)") } ?? ""
        var (found, seen): ([StoredPartUpload], Int) = ([], 0)
        // Names of one level are of one length, so that paths are in the order of their parts.
        for tenantName in try root.names() {
            guard let tenant = TenantID(tenantName),
                let folder = try present({ () throws(ObjectStoreError) in try root.directory(tenantName) })
            else { continue }
            for userName in try folder.names() {
                guard let user = UserID(userName),
                    let uploads = try present({ () throws(ObjectStoreError) in try folder.directory(userName) })
                else { continue }
                for name in try uploads.names() where Self.path(tenantName, userName, name) > start {
                    guard let (object, id) = Self.parsed(name), let status = try uploads.status(of: name) else { continue }
                    let key = ObjectKey(kind: .staging, tenant: tenant, user: user, object: object)
                    let upload = StoredPartUpload(key: key, id: id, storedAt: status.changedAt)
                    seen += 1
                    if status.changedAt < olderThan { found.append(upload) }
                    if seen >= limit { return StoredPartUploads(uploads: found, next: upload) }
                }
            }
        }
        return StoredPartUploads(uploads: found, next: nil)
    }

    // MARK: Names

    private static func names(_ part: PartKey) throws(ObjectStoreError) -> (set: String, file: String) {
        guard (1...99_999).contains(part.number) else { throw .missing }
        return (try set(part.key, part.upload), name(part.number))
    }

    /// - Throws: `missing` for an upload's name that this store does not give.
    private static func set(_ key: ObjectKey, _ upload: String) throws(ObjectStoreError) -> String {
        guard let id = UUID(uuidString: upload), id.lowercaseText == upload else { throw .missing }
        return "\(key.objectName).\(upload)"
    }

    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
    }

    private static func parsed(_ name: String) -> (object: UUID, id: String)? {
        let sides = name.split(separator: ".", omittingEmptySubsequences: false)
        guard sides.count == 2, let object = UUID(uuidString: String(sides[0])), object.lowercaseText == sides[0],
            let id = UUID(uuidString: String(sides[1])), id.lowercaseText == sides[1]
        else { return nil }
        return (object, String(sides[1]))
    }

    private static func path(_ names: String...) -> String { names.joined(separator: "/") }

    // MARK: Folders

    private func user(_ key: ObjectKey) throws(ObjectStoreError) -> Descriptor {
        try root.directory(key.tenantName).directory(key.userName)
    }

    private func remove(_ set: String, of folder: Descriptor, most: Int) throws(ObjectStoreError) -> Int {
        var removed = 0
        do throws(ObjectStoreError) {
            let files = try folder.directory(set)
            for name in try files.names() where removed < most {
                if try files.unlink(name) { removed += 1 }
            }
            try files.sync()
        } catch .missing {
            return removed
        }
        try folder.removeIfEmpty(set)
        try folder.sync()
        return removed
    }

    private func prune(_ tenant: String, _ user: String) throws(ObjectStoreError) {
        try root.directory(tenant).removeIfEmpty(user)
        try root.removeIfEmpty(tenant)
    }

    private func present(_ open: () throws(ObjectStoreError) -> Descriptor) throws(ObjectStoreError) -> Descriptor? {
        do throws(ObjectStoreError) { return try open() } catch .missing { return nil } catch .damaged { return nil }
    }
}
