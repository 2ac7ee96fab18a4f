import DiaryCrypto
import WireFormats

/// A member's imports, newest first, and their reports.
package struct ReadImports: Sendable {
    let imports: any ImportStore
    let keys: DataKeys

    package struct Report: Sendable {
        package var items: [ImportItem]
        /// The position of the next page; nil at the end.
        package var next: ReportCursor?
    }

    package func list(
        before position: ListPosition?, limit: Int, status: ImportStatus?, of member: Member
    ) async throws(DiaryError) -> ListPage<Import> {
        let found = try await imports.imports(before: position, limit: limit + 1, status: status, of: member)
        return ListPage(found, limit: limit) { ListPosition(at: $0.createdAt, id: $0.id.uuid) }
    }

    package func one(_ id: ImportID, of member: Member) async throws(DiaryError) -> Import {
        guard let found = try await imports.find(id, of: member) else { throw .notFound }
        return found
    }

    package func report(
        _ id: ImportID, after cursor: ReportCursor?, limit: Int, of member: Member
    ) async throws(DiaryError) -> Report {
        guard let stored = try await imports.items(of: id, after: cursor?.number ?? 0, limit: limit + 1, member) else { throw .notFound }
        let page = stored.prefix(limit)
        guard page.contains(where: { $0.name != nil }) else { return report(page.map(\.item), more: stored.count > limit) }
        let vault = try await keys.vault(of: member)
        return report(
            page.map { stored in
                var item = stored.item
                // A name that was altered in the database is left out.
                item.name = stored.name.flatMap { try? vault.open($0, .importName, row: id.uuid, version: item.number) }
                    .map { String(decoding: $0, as: UTF8.self) }
                return item
            }, more: stored.count > limit)
    }

    private func report(_ items: [ImportItem], more: Bool) -> Report {
        Report(items: items, next: more ? items.last.map { ReportCursor(number: $0.number) } : nil)
    }
}

/// The cursor of a report: the number of the last item of a page.
package struct ReportCursor: Sendable, Equatable {
    package let number: Int64

    package var text: String { Base64URL.encode([4] + UInt64(bitPattern: number).bigEndianBytes) }
}

extension ReportCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 12, let bytes = Base64URL.decode(text), bytes.count == 9, bytes[0] == 4 else { return nil }
        let number = Int64(bitPattern: UInt64(bigEndianBytes: bytes[1...]))
        guard number > 0 else { return nil }
        self.init(number: number)
    }
}
