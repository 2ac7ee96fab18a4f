/// Recordings that are removed while their texts stay.
package struct RetentionFeature: Sendable {
    package let remove: RemoveAudio

    init(_ ports: FeaturePorts) {
        remove = RemoveAudio(removals: ports.audioRemovals, recordings: ports.deleteRecordings, keys: ports.memberKeys)
    }
}

extension DiaryFeatures {
    package var retention: RetentionFeature { RetentionFeature(ports) }
}
