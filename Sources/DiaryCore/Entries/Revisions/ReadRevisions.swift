import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// The earlier texts of a layer, the newest first.
package struct ReadRevisions: Sendable {
    let entries: any EntryStore
    let keys: DataKeys

    package struct Listing: Sendable {
        package var revisions: [Revision]
        /// nil at the end.
        package var next: RevisionCursor?
    }

    /// - Parameter cursor: of an earlier page; nil begins with the newest.
    package func run(
        _ id: EntryID, _ layer: TextLayer, after cursor: RevisionCursor?, limit: Int, for member: Member
    ) async throws(DiaryError) -> Listing {
        guard let page = try await entries.revisions(of: id, layer, before: cursor?.number, limit: limit, of: member) else {
            throw .notFound
        }
        let vault = try await keys.vault(of: member)
        return Listing(
            revisions: page.revisions.map { vault.open($0, layer, of: id) },
            next: page.more ? page.revisions.last.map { RevisionCursor(number: $0.sealed.version) } : nil)
    }
}

/// An earlier text of an entry, for its owner.
package struct Revision: Sendable {
    package var number: Int64
    package var layer: TextLayer
    /// When the text was replaced.
    package var createdAt: Date
    /// nil when it was altered in the database and does not open.
    package var content: RevisionPart?
}

/// The cursor of a list of revisions: the number of the last one of a page.
package struct RevisionCursor: Sendable, Equatable {
    package let number: Int64

    package var text: String { Base64URL.encode([3] + UInt64(bitPattern: number).bigEndianBytes) }
}

extension RevisionCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 12, let bytes = Base64URL.decode(text), bytes.count == 9, bytes[0] == 3 else { return nil }
        let number = Int64(bitPattern: UInt64(bigEndianBytes: bytes[1...]))
        guard number > 0 else { return nil }
        self.init(number: number)
    }
}

/// The texts of an entry of which earlier ones are kept. Stored; never changes.
package enum TextLayer: String, Sendable, CaseIterable {
    /// The text as recognised. Replaced by a later recognition.
    case raw
    /// Cleaned for reading. Replaced by a later cleaning, and taken away by a later recognition.
    case clean
    /// Written by the owner.
    case edited
    /// What was recognised with the owner's corrections, which a later recognition takes away.
    case corrected

    /// Revisions of a layer that are kept.
    package static let kept = 20
}
