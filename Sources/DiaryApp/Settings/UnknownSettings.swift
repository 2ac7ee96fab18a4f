/// Names in the environment that look like settings and are not. Without this a misspelt setting would silently count as not set.
enum UnknownSettings {
    private static let prefix = "DIARY_"
    private static let fileSuffix = "_FILE"

    #if DIARY_FAILPOINTS
        /// `Failpoint` reads these of the environment itself.
        private static let others: Set<String> = ["DIARY_FAIL", "DIARY_FAIL_ONCE"]
    #else
        private static let others: Set<String> = []
    #endif

    /// Unknown settings by name, each with the setting that it is near to.
    static func of(_ environment: Environment) -> [SettingsError] {
        environment.names.sorted().compactMap { name in
            guard name.hasPrefix(prefix) else { return misspeltPrefix(name) }
            return isKnown(name) ? nil : fault(name, meant: near(name))
        }
    }

    private static func fault(_ name: String, meant: String?) -> SettingsError {
        SettingsError(name, "is no setting" + (meant.map { "; did you mean \($0)?" } ?? ""))
    }

    private static func isKnown(_ name: String) -> Bool {
        SettingsCatalogue.names.contains(name) || others.contains(name)
            || (name.hasSuffix(fileSuffix) && SettingsCatalogue.names.contains(String(name.dropLast(fileSuffix.count))))
    }

    /// Compared without the prefix, which all have.
    private static func near(_ name: String) -> String? {
        let suffix = name.hasSuffix(fileSuffix) ? fileSuffix : ""
        let base = name.dropFirst(prefix.count).dropLast(suffix.count)
        let names = SettingsCatalogue.names.map { String($0.dropFirst(prefix.count)) }
        return ClosestName.of(String(base), among: names).map { prefix + $0 + suffix }
    }

    /// `DAIRY_LISTEN`: another prefix than ours with the rest of a setting's name.
    private static func misspeltPrefix(_ name: String) -> SettingsError? {
        guard let line = name.firstIndex(of: "_") else { return nil }
        let meant = prefix + name[name.index(after: line)...]
        guard ClosestName.distance(Array(name[...line].utf8), Array(prefix.utf8)) == 1, isKnown(meant) else { return nil }
        return fault(name, meant: meant)
    }
}

/// Finds the known name that is closest to a misspelt one.
enum ClosestName {
    /// - Returns: the nearest of `names`; nil when every one differs in more than a third of its letters.
    static func of(_ name: String, among names: some Sequence<String>) -> String? {
        let bytes = Array(name.utf8)
        let nearest = names.map { (name: $0, distance: distance(bytes, Array($0.utf8))) }.min {
            ($0.distance, $0.name) < ($1.distance, $1.name)
        }
        guard let nearest, nearest.distance * 3 <= max(bytes.count, nearest.name.utf8.count) else { return nil }
        return nearest.name
    }

    /// Optimal string alignment: how many letters are left out, added, replaced, or transposed.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, previous) = (previous, row)
        }
        return previous[b.count]
    }
}
