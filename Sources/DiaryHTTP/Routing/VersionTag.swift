import HTTPTypes

/// Entity tags that carry a version number, for `If-Match` (RFC 9110 section 13.1.1). The version of an entry or a schedule changes with
/// its owner's changes and not with processing: the body may differ under one tag, so `If-None-Match` is read for the profile's alone.
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
            let quoted = strong(part)
            guard quoted.utf8.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
            // Byte by byte: "01" is not "1".
            let digits = quoted.dropFirst().dropLast()
            if let version = Int64(digits), String(version) == digits { versions.append(version) }
        }
        return .versions(versions)
    }

    /// Without the `W/` of a proxy that compresses answers. By RFC 9110 a weak tag matches nothing in `If-Match`, since it names no bytes;
    /// a version names none either, and behind such a proxy clients get no other tags.
    fileprivate static func strong(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }

    fileprivate static func withoutSpaceAround(_ part: Substring) -> Substring {
        var part = part.drop { $0 == " " || $0 == "\t" }
        while let last = part.last, last == " " || last == "\t" { part.removeLast() }
        return part
    }
}

extension Exchange {
    /// Whether `If-None-Match` names the tag, weak or not (RFC 9110 section 13.1.2).
    func has(_ tag: String) -> Bool {
        headers[values: .ifNoneMatch].contains { value in
            value.split(separator: ",").map(VersionTag.withoutSpaceAround).contains { $0 == "*" || VersionTag.strong($0) == tag }
        }
    }
}
