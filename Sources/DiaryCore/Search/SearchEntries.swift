import FoundationEssentials

/// Reads a diary from the newest entry on, opens its words, and keeps the entries that have all that is searched for. A page ends when it is
/// full, or after `longest`.
package struct SearchEntries: Sendable {
    let store: any SearchStore
    let keys: DataKeys
    let turns: AccountTurns

    /// Of work for one page. A batch and an entry that have been begun are finished; a step that would end later is not begun.
    static let longest = Duration.milliseconds(200)
    /// Of sealed words that are in memory at a time.
    static let batchBytes = 1 << 20
    /// Of entries with their segments: those of a recording of two hours have about 1.5 MB.
    static let foundBytes = 2 << 20
    /// Entries of the first batch, and of any: the next one is larger, unless its bytes have ended it.
    static let batchSizes = 200...1_000

    /// Runs on the threads that all tasks share: on the event loop of its connection other clients of the loop would wait for it.
    /// - Parameters:
    ///   - query: newest first; its limit is that of the page.
    ///   - isAwaited: false when the client has gone. The page ends then, or does not begin where it waits for its turn.
    package func run(
        _ words: SearchWords, in query: DateQuery, for member: Member, isAwaited: @escaping @Sendable () -> Bool = { true }
    ) async throws(DiaryError) -> SearchPage {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(DiaryError) -> SearchPage in
            try await turns.run(of: member.owner, isAwaited: isAwaited) { () async throws(DiaryError) -> SearchPage in
                try await page(words, query, member, isAwaited)
            }
        }
    }

    private func page(
        _ words: SearchWords, _ query: DateQuery, _ member: Member, _ isAwaited: @Sendable () -> Bool
    ) async throws(DiaryError) -> SearchPage {
        let end = ContinuousClock.now + Self.longest
        let vault = try await keys.vault(of: member)
        var query = query
        let limit = query.limit
        if !query.filter.labels.isEmpty { query.filter.hashes = vault.hashes(of: query.filter.labels) }
        query.limit = Self.batchSizes.lowerBound
        var found: [SearchPage.Found] = []
        var text = FoldedText()
        var profiles: [UUID: SpeakerProfile]?
        var batch = try await store.words(query, bytes: Self.batchBytes, of: member)
        var isFirst = true
        // The last step of reading entries with their segments: of long recordings it takes a third of a page's time.
        var step = Duration.zero
        // Of one of them, without reading it.
        var opening = Duration.zero
        while true {
            // Most pages are full after the first batch.
            let behind = isFirst || !batch.more ? nil : batch.entries.last.map { Self.query(query, behind: $0.position, of: batch) }
            // No child of this task: a page that ends would cancel it, and a statement that is cancelled takes its connection with it.
            let ahead = behind.map { query in Task { await self.read(query, of: member) } }
            isFirst = false
            if profiles == nil, batch.entries.contains(where: { $0.corrections != nil }) {
                profiles = try await self.profiles(of: member, vault)
            }
            let (hits, last) = try matches(in: batch, words, most: limit - found.count, vault, profiles ?? [:], &text)
            var read = 0
            var handled: DatePosition?
            while read < hits.count {
                let begin = ContinuousClock.now
                if read > 0, begin + step >= end { return SearchPage(items: found, next: Self.next(hits[read - 1])) }
                let stored = try await store.found(hits[read...].map(\.id), bytes: Self.foundBytes, of: member)
                // The others have been deleted meanwhile.
                guard let lastRead = stored.last?.entry.facts.id else { break }
                for one in stored {
                    let opened = ContinuousClock.now
                    if let handled, opened + opening >= end { return SearchPage(items: found, next: Self.next(handled)) }
                    if let hit = try Self.found(one, words, query.filter, vault, profiles ?? [:]) { found.append(hit) }
                    handled = hits.first { $0.id == one.entry.facts.id } ?? handled
                    opening = ContinuousClock.now - opened
                }
                await Task.yield()
                step = ContinuousClock.now - begin
                read = (hits.firstIndex { $0.id == lastRead } ?? hits.count) + 1
            }
            guard let last, batch.more || last != batch.entries.last?.position else { return SearchPage(items: found) }
            if found.count >= limit || ContinuousClock.now + step >= end || !isAwaited() {
                return SearchPage(items: found, next: Self.next(last))
            }
            let isWhole = last == batch.entries.last?.position
            query = Self.query(query, behind: last, of: batch)
            if isWhole, let next = await ahead?.value {
                batch = try next.get()
            } else {
                batch = try await store.words(query, bytes: Self.batchBytes, of: member)
            }
        }
    }

    private static func query(_ query: DateQuery, behind last: DatePosition, of batch: SearchBatch) -> DateQuery {
        var query = query
        query.after = EntryPosition(.recordedAt(last.recordedAt), id: last.id)
        let grown = batch.entries.count * (batch.entries.count < query.limit ? 2 : 4)
        query.limit = min(max(grown, 16), batchSizes.upperBound)
        return query
    }

    /// Read while the batch before is searched. Its words are in memory, too.
    private func read(_ query: DateQuery, of member: Member) async -> Result<SearchBatch, DiaryError> {
        do throws(DiaryError) { return .success(try await store.words(query, bytes: Self.batchBytes, of: member)) } catch {
            return .failure(error)
        }
    }

    /// Of the account's speakers, deleted ones among them. Read once for a page, where an entry has corrections.
    private func profiles(of member: Member, _ vault: Vault) async throws(DiaryError) -> [UUID: SpeakerProfile] {
        let stored = try await store.profiles(of: member)
        return Dictionary(stored.map { ($0.id.uuid, vault.open($0)) }) { first, _ in first }
    }

    private static func next(_ position: DatePosition) -> ListPosition { ListPosition(at: position.recordedAt, id: position.id.uuid) }

    /// - Returns: entries that have all words, `most` at most, and the last entry that was looked at; nil for an empty batch.
    private func matches(
        in batch: SearchBatch, _ words: SearchWords, most: Int, _ vault: Vault, _ profiles: [UUID: SpeakerProfile],
        _ text: inout FoldedText
    ) throws(DiaryError) -> (hits: [DatePosition], last: DatePosition?) {
        var opener = try EntryOpener(vault)
        var hits: [DatePosition] = []
        var last: DatePosition?
        var opened = 0
        var wrongKey: DiaryError?
        for sealed in batch.entries {
            if hits.count >= most { break }
            last = sealed.position
            do throws(DiaryError) {
                let texts = try opener.texts(of: sealed, vault, profiles)
                opened += 1
                if words.are(in: texts, &text) { hits.append(sealed.position) }
            } catch {
                wrongKey = error
            }
        }
        // As when a list is opened: one entry that another key sealed is a damaged one.
        if opened == 0, let wrongKey { throw wrongKey }
        return (hits, last)
    }

    /// - Returns: nil for an entry that was changed meanwhile, or that only the hashes of the filter have found.
    private static func found(
        _ stored: StoredTranscript, _ words: SearchWords, _ filter: EntryFilter, _ vault: Vault, _ profiles: [UUID: SpeakerProfile]
    ) throws(DiaryError) -> SearchPage.Found? {
        let entry = try vault.open(stored.entry)
        guard filter.confirms(entry) else { return nil }
        let id = entry.facts.id
        // Damaged ones are as none: the entry's words are here.
        let corrections = stored.segments.flatMap { try? vault.open(corrections: stored.corrections, of: $0, id) } ?? SegmentCorrections()
        let texts = SearchedTexts(
            personal: entry.personal, machine: entry.machine, speakers: corrections.resolved(by: profiles).searchedNames)
        var table = FoldTable.shared
        guard let hit = SearchHit(words, in: texts.fields, by: &table) else { return nil }
        let snippets = hit.snippets {
            guard let sealed = stored.segments, let segments = try? vault.open(segments: sealed, of: id) else { return nil }
            return SpokenWords(corrections.applied(to: segments), by: &table)
        }
        return SearchPage.Found(entry: entry.withoutLongTexts, snippets: snippets)
    }
}

extension SearchWords {
    /// Whether each term is in one of the fields.
    func are(in texts: SearchedTexts, _ text: inout FoldedText) -> Bool {
        var missing = terms
        for field in texts.fields {
            text.read(field.text)
            missing.removeAll { text.contains($0) }
            if missing.isEmpty { return true }
        }
        return false
    }
}
