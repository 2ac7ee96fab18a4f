/// Entity tags that carry a version number, for `If-Match` (RFC 9110 section 13.1.1), which compares strong tags only. The version of an
/// entry or a schedule changes with its owner's changes and not with processing: the body may differ under one tag, which is no cache key.
/// Nothing reads `If-None-Match`.
package enum VersionTag {
    package enum Condition: Sendable, Equatable {
        case any
        /// Tags that `text` does not write match nothing and are left out.
        case versions([Int64])

        package func allows(_ version: Int64) -> Bool {
            switch self {
            case .any: true
            case .versions(let versions): versions.contains(version)
            }
        }
    }

    package static func text(_ version: Int64) -> String { "\"\(version)\"" }

    static func condition(_ value: String) -> Condition? {
        let parts = value.split(separator: ",").map(withoutSpaceAround)
        if parts == ["*"] { return .any }
        guard !parts.isEmpty, parts.count <= 20 else { return nil }
        var versions: [Int64] = []
        for part in parts {
            let isWeak = part.hasPrefix("W/")
            let quoted = isWeak ? part.dropFirst(2) : part
            guard quoted.utf8.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
            // If-Match is a strong comparison, byte by byte: a weak tag never matches, and "01" is not "1".
            let digits = quoted.dropFirst().dropLast()
            if !isWeak, let version = Int64(digits), String(version) == digits { versions.append(version) }
        }
        return .versions(versions)
    }

    private static func withoutSpaceAround(_ part: Substring) -> Substring {
        var part = part.drop { $0 == " " || $0 == "\t" }
        while let last = part.last, last == " " || last == "\t" { part.removeLast() }
        return part
    }
}
