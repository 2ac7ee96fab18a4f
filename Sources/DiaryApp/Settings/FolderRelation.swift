import Glibc

/// Whether two folders are the same, nested or apart on disk, however their paths are written. Neither need exist.
enum FolderRelation: Equatable {
    case apart
    case same
    /// One is inside the other.
    case nested

    init(_ one: String, _ other: String) {
        let (one, other) = (Self.names(one), Self.names(other))
        self = one == other ? .same : one.starts(with: other) || other.starts(with: one) ? .nested : .apart
    }

    /// The names from the root on: of the longest part that exists without symbolic links, then what is to be made below it.
    private static func names(_ path: String) -> [String] {
        let absolute = path.hasPrefix("/") ? path : "\(resolved(".") ?? "")/\(path)"
        let given = absolute.split(separator: "/").map(String.init)
        var count = given.count
        var names: [String] = []
        while count > 0 {
            if let real = resolved("/" + given.prefix(count).joined(separator: "/")) {
                names = real.split(separator: "/").map(String.init)
                break
            }
            count -= 1
        }
        for name in given.dropFirst(count) where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return names
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
