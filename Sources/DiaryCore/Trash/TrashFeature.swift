/// Deleted entries that can be restored, where the app keeps them for some days (`trash_days`).
package struct TrashFeature: Sendable {
    package let read: ReadTrash
    package let restore: RestoreEntry
    package let end: EndTrashedEntry

    init(_ ports: FeaturePorts) {
        let (trash, keys) = (ports.trash, ports.memberKeys)
        read = ReadTrash(trash: trash, keys: keys)
        restore = RestoreEntry(trash: trash, keys: keys, jobSignals: ports.jobSignals)
        end = EndTrashedEntry(trash: trash, recordings: ports.deleteRecordings, keys: keys)
    }
}

extension DiaryFeatures {
    package var trash: TrashFeature { TrashFeature(ports) }
}
