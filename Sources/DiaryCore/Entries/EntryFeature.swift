/// Entries: created, read, listed, edited, deleted, and processed again after a failure.
package struct EntryFeature: Sendable {
    package let start: StartEntry
    package let read: ReadEntries
    package let edit: EditEntry
    package let delete: DeleteEntry
    package let retry: RetryEntry

    init(_ ports: FeaturePorts) {
        let (entries, keys) = (ports.entries, ports.memberKeys)
        start = StartEntry(
            entries: entries, keys: keys, serviceKeys: ports.serviceKeys, uploads: ports.uploads, tenants: ports.tenants,
            limits: ports.limits, clock: ports.clock)
        read = ReadEntries(entries: entries, keys: keys)
        edit = EditEntry(entries: entries, keys: keys)
        delete = DeleteEntry(entries: entries, objects: ports.objects, keys: keys)
        retry = RetryEntry(entries: entries, keys: keys, jobSignals: ports.jobSignals)
    }
}

extension DiaryFeatures {
    package var entries: EntryFeature { EntryFeature(ports) }
}
