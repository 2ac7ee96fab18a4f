/// One entry as a zip, made while it is read: without a job, a mail and a stored file. For its owner, as playback is.
package struct BundleEntry: Sendable {
    let entries: any WholeEntryStore
    let bundler: any EntryBundler
    let tenants: any TenantStore
    let keys: DataKeys
    let turns: AccountTurns

    /// Runs on the threads that all tasks share: texts are hashed and packed, for which other clients of the connection's event loop would wait.
    /// - Parameter isAwaited: false when the client has gone: no bundle is made then.
    package func run(
        _ id: EntryID, for member: Member, isAwaited: @escaping @Sendable () -> Bool = { true }
    ) async throws(DiaryError) -> EntryBundle {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(DiaryError) -> EntryBundle in
            try await turns.run(of: member.owner, isAwaited: isAwaited) { () async throws(DiaryError) -> EntryBundle in
                try await make(id, member)
            }
        }
    }

    private func make(_ id: EntryID, _ member: Member) async throws(DiaryError) -> EntryBundle {
        guard let entry = try await entries.whole(id, of: member) else { throw .notFound }
        let facts = entry.stored.entry.facts
        // Of one that failed its check the words remain, if there are any.
        guard
            facts.kind == .text || facts.audioRemovedAt != nil || facts.isOnDevice || facts.isPlayable || facts.status == .failed
        else { throw .notPlayable(facts) }
        let vault = try await keys.vault(of: member)
        return try await bundler.bundle(entry, in: try await tenants.tenant(id: member.tenant), with: vault)
    }
}

/// A zip that is read once.
package struct EntryBundle: Sendable {
    package var filename: String
    package var sizeBytes: Int64
    package var body: any ByteStream

    package init(filename: String, sizeBytes: Int64, body: any ByteStream) {
        self.filename = filename
        self.sizeBytes = sizeBytes
        self.body = body
    }
}

/// Makes zips of single entries, laid out as those of exports are, so that an import takes them.
package protocol EntryBundler: Sendable {
    /// - Parameter tenant: nil when the app was removed a moment ago.
    func bundle(_ entry: WholeEntry, in tenant: Tenant?, with vault: Vault) async throws(DiaryError) -> EntryBundle
}
