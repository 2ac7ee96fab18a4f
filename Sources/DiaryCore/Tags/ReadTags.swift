/// Lists the tags or the moods of a diary: counted by their hashes, and named by the newest entry that has each. Two round trips.
package struct ReadTags: Sendable {
    let store: any TagStore
    let keys: DataKeys

    /// Those used last first, then tags that have a colour and no entries.
    package func all(_ kind: EntryLabel.Kind, of member: Member) async throws(DiaryError) -> [LabelSummary] {
        try await found(kind, hash: nil, try await keys.vault(of: member), member)
    }

    /// nil for a tag that no entry has, and that has no colour.
    func one(_ name: String, _ vault: Vault, _ member: Member) async throws(DiaryError) -> LabelSummary? {
        try await found(.tag, hash: vault.hash(ofTag: name), vault, member).first
    }

    private func found(_ kind: EntryLabel.Kind, hash: Int64?, _ vault: Vault, _ member: Member) async throws(DiaryError) -> [LabelSummary] {
        let (uses, colored) = try await store.labelUses(kind, hash: hash, most: LabelSummary.most, of: member)
        var colors: [Int64: ColoredTag] = [:]
        for row in colored { colors[row.hash] = vault.opened(row) }
        let names = try await names(of: uses, kind, vault, member)
        var tags: [LabelSummary] = []
        for use in uses {
            guard let name = names[use.hash] else { continue }
            tags.append(
                LabelSummary(
                    name: name, count: use.entries, lastUsedAt: use.lastUsedAt,
                    color: colors.removeValue(forKey: use.hash)?.color))
        }
        // Of more tags than are listed, those that are left out are in use, too.
        let unused = uses.count < LabelSummary.most ? colors.values.sorted { $0.name < $1.name } : []
        return tags + unused.map { LabelSummary(name: $0.name, count: 0, lastUsedAt: nil, color: $0.color) }
    }

    /// Names by hashes. An entry that cannot be read, or whose words have another label, names none.
    private func names(
        of uses: [LabelUse], _ kind: EntryLabel.Kind, _ vault: Vault, _ member: Member
    ) async throws(DiaryError) -> [Int64: String] {
        var names: [Int64: String] = [:]
        let newest = Dictionary(uses.map { ($0.hash, $0.newest) }) { first, _ in first }
        var left = Array(Set(uses.map(\.newest)))
        while !left.isEmpty {
            let page = try await store.samples(left, of: member)
            for entry in try vault.open(page.entries) {
                let texts = kind == .tag ? entry.personal.tags : entry.personal.mood.map { [$0] } ?? []
                for (text, hash) in zip(texts, vault.hashes(inOrderOf: texts.map { EntryLabel(kind, $0) }))
                where newest[hash] == entry.facts.id && names[hash] == nil {
                    names[hash] = text
                }
            }
            guard page.more, let last = page.last?.facts.id.description else { break }
            left.removeAll { $0.description <= last }
        }
        return names
    }
}
