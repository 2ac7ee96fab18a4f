package import FoundationEssentials

/// The entries that share a label's hash.
package struct LabelUse: Sendable, Equatable {
    package var hash: Int64
    package var entries: Int64
    package var lastUsedAt: Date
    package var newest: EntryID

    package init(hash: Int64, entries: Int64, lastUsedAt: Date, newest: EntryID) {
        self.hash = hash
        self.entries = entries
        self.lastUsedAt = lastUsedAt
        self.newest = newest
    }
}

/// The row of a tag that has a colour.
package struct StoredTag: Sendable {
    package var hash: Int64
    package var sealed: [UInt8]

    package init(hash: Int64, sealed: [UInt8]) {
        self.hash = hash
        self.sealed = sealed
    }
}

/// Labels of a member's entries, and colours of tags, by the database role `diary_api`.
package protocol TagStore: Sendable {
    /// Labels of live entries, the last used first; with tags, also the rows of those that have a colour.
    /// - Parameter hash: of the only one that is asked for; nil: all, at most `most`.
    func labelUses(
        _ kind: EntryLabel.Kind, hash: Int64?, most: Int, of member: Member
    ) async throws(DiaryError) -> (uses: [LabelUse], colored: [StoredTag])
    /// As `EntryStore.entries`, without the machine's part.
    func samples(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage
    /// Live entries with the hash, by id, likewise.
    func labelled(_ hash: Int64, after id: EntryID?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage
    /// The same compare-and-set as `EntryStore.rewritePersonal`; one transaction.
    /// - Returns: how many were written. The others have changed since they were read.
    func relabel(_ rewrites: [PersonalRewrite], keyID: UUID, by member: Member) async throws(DiaryError) -> Int
    /// Replaces the rows of tags.
    /// - Returns: false when the account has `most` others: the tag is not written.
    func writeTag(
        _ tag: StoredTag?, replacing hashes: [Int64], most: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> Bool
}

/// A tag that has a colour, whether entries have it or not.
package struct ColoredTag: Sendable, Equatable {
    package var name: String
    package var color: TagColor

    /// Of an account. A zip's list of them is read whole.
    package static let most = 500

    package init(name: String, color: TagColor) {
        self.name = name
        self.color = color
    }

    /// What is sealed: JSON.
    fileprivate struct Form: Codable {
        var name: String
        var color: String
    }
}

extension Vault.Part {
    /// Row = the user's id: the name says which row it belongs to.
    package static let tag = Vault.Part(name: "tag", table: "tags")
}

extension Vault {
    package func sealed(_ tag: ColoredTag) throws(DiaryError) -> StoredTag {
        let form = ColoredTag.Form(name: tag.name, color: tag.color.text)
        return StoredTag(hash: hash(ofTag: tag.name), sealed: try seal(form, as: .tag, row: owner.user.uuid))
    }

    /// nil for one that does not open, or that is another tag's: such a colour is as none.
    package func opened(_ stored: StoredTag) -> ColoredTag? {
        guard let form = try? open(ColoredTag.Form.self, stored.sealed, as: .tag, row: owner.user.uuid), let color = TagColor(form.color),
            hash(ofTag: form.name) == stored.hash
        else { return nil }
        return ColoredTag(name: form.name, color: color)
    }

    func hash(ofTag name: String) -> Int64 { hashes(inOrderOf: [EntryLabel(.tag, name)]).first ?? 0 }
}
