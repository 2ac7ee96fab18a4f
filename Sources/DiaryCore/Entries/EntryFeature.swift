/// Entries: created, read, listed, edited, annotated, deleted, corrected, and processed again.
package struct EntryFeature: Sendable {
    package let create: CreateEntry
    package let read: ReadEntries
    package let onThisDay: ReadOnThisDay
    package let edit: EditEntry
    package let notes: WriteNotes
    package let answerSuggestions: AnswerSuggestions
    package let delete: DeleteEntry
    package let reprocess: ReprocessEntry
    package let correct: CorrectSegments
    package let giveTranscript: GiveTranscript
    package let announce: AnnounceRecording
    package let revisions: ReadRevisions
    package let batch: RunBatch
    package let copy: CopyEntry

    init(_ ports: FeaturePorts) {
        let (entries, keys) = (ports.entries, ports.memberKeys)
        let create = ports.createEntry
        self.create = create
        read = ReadEntries(entries: entries, keys: keys)
        onThisDay = ReadOnThisDay(entries: entries, keys: keys, clock: ports.clock)
        edit = EditEntry(entries: entries, keys: keys, tenants: ports.tenants, jobSignals: ports.jobSignals)
        notes = WriteNotes(entries: entries, keys: keys, clock: ports.clock)
        answerSuggestions = AnswerSuggestions(entries: entries, keys: keys)
        let recordings = ports.deleteRecordings
        delete = DeleteEntry(entries: entries, trash: ports.trash, tenants: ports.tenants, recordings: recordings, keys: keys)
        reprocess = ReprocessEntry(
            entries: entries, keys: keys, engines: ports.engines, tenants: ports.tenants, jobSignals: ports.jobSignals,
            writes: ports.idempotentWrites)
        correct = CorrectSegments(entries: entries, speakers: ports.speakers, keys: keys)
        giveTranscript = GiveTranscript(entries: entries, keys: keys, jobSignals: ports.jobSignals)
        announce = AnnounceRecording(create: create, entries: entries, keys: keys)
        revisions = ReadRevisions(entries: entries, keys: keys)
        batch = RunBatch(
            createEntry: create, entries: entries, trash: ports.trash,
            removeAudio: RemoveAudio(removals: ports.audioRemovals, recordings: recordings, keys: keys), recordings: recordings, keys: keys,
            serviceKeys: ports.serviceKeys,
            idempotency: ports.idempotencyKeys, tenants: ports.tenants, clock: ports.clock)
        copy = CopyEntry(
            entries: entries, whole: ports.wholeEntries, objects: ports.objects, keys: keys, tenants: ports.tenants,
            jobSignals: ports.jobSignals, writes: ports.idempotentWrites, clock: ports.clock, turns: AccountTurns(of: "copies", most: 8))
    }
}

extension DiaryFeatures {
    package var entries: EntryFeature { EntryFeature(ports) }
}
