/// The rules of member paths: a path must unpack to one file below the target folder on every system.
enum ZipPath {
    static let longestPath = 1024
    static let longestComponent = 255

    static func isAllowed(_ path: String) -> Bool {
        guard !path.isEmpty, path.utf8.count <= longestPath else { return false }
        guard path.unicodeScalars.allSatisfy(isAllowed) else { return false }
        let components = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // An empty component is a leading, a doubled or a trailing slash.
        guard components.allSatisfy({ isAllowed(component: String(Substring($0))) }) else { return false }
        return !startsWithDrive(path)
    }

    /// Equal for paths that collide on disks which ignore case; `String` equality covers Unicode composition.
    /// Compared as capitals: "ϕ" and "φ" share theirs, and such a disk treats them as equal.
    static func collisionKey(_ path: String) -> String { path.uppercased().lowercased() }

    private static func isAllowed(component: String) -> Bool {
        !component.isEmpty && component != "." && component != ".." && component.utf8.count <= longestComponent
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x5C: false  // C0, DEL, C1, backslash
        case 0x2028, 0x2029: false  // line and paragraph separator
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false  // direction changes
        default: true
        }
    }

    private static func startsWithDrive(_ path: String) -> Bool {
        let start = Array(path.unicodeScalars.prefix(2))
        return start.count == 2 && start[1] == ":" && start[0].isASCII && start[0].properties.isAlphabetic
    }
}
