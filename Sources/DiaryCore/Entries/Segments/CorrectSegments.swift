import DiaryCrypto

/// The owner's corrections of a recognised recording: the words or the speakers of segments, or the names of its speakers. They count as a
/// change of the entry: they have its version, and `If-Match` compares it. The text to show has corrected words at once (`CorrectedText`).
package struct CorrectSegments: Sendable {
    let entries: any EntryStore
    let speakers: any SpeakerStore
    let keys: DataKeys

    /// What a speaker of a recording is called.
    package enum SpeakerNaming: Sendable {
        /// Is trimmed; `clear` and blanks alone take the name back. It points to no profile.
        case name(Patch<String>)
        /// As the profile is called, now and later.
        case profile(SpeakerID)
        /// The name stays as it is.
        case withoutProfile
    }

    package struct Corrected: Sendable {
        package var transcript: Transcript
        package var version: Int64
    }

    /// What is to be done with a segment.
    package struct Change: Sendable {
        package var segment: Int
        /// `clear` takes the correction back.
        package var text: Patch<String>
        /// A label, which is trimmed; `clear` and blanks alone take the correction back.
        package var speaker: Patch<String>

        package init(segment: Int, text: Patch<String>, speaker: Patch<String>) {
            self.segment = segment
            self.text = text
            self.speaker = speaker
        }
    }

    /// All of them or none.
    package func run(
        _ id: EntryID, _ changes: [Change], matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Corrected> {
        try await change(id, matching: match, by: member, texts: "/segments") { transcript, corrections throws(DiaryError) in
            let segments = try transcript.recognized()
            let heard = Dictionary(segments.map { ($0.id, $0) }) { first, _ in first }
            let speakers = Set(segments.compactMap(\.speaker))
            for (place, change) in changes.enumerated() {
                guard let segment = heard[change.segment] else {
                    throw .invalid("/segments/\(place)/id", "is not a segment of the recording")
                }
                try Self.apply(change, to: segment, among: speakers, &corrections, at: "/segments/\(place)")
            }
        }
    }

    /// - Throws: `notFound` without the segment.
    package func run(
        _ id: EntryID, _ change: Change, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Corrected> {
        try await self.change(id, matching: match, by: member) { transcript, corrections throws(DiaryError) in
            let segments = try transcript.recognized()
            guard let heard = segments.first(where: { $0.id == change.segment }) else { throw .notFound }
            try Self.apply(change, to: heard, among: Set(segments.compactMap(\.speaker)), &corrections, at: "")
        }
    }

    /// - Parameters:
    ///   - spoken: labels of the recording as it was heard.
    ///   - place: of the change in the request.
    private static func apply(
        _ change: Change, to heard: SpeechSegment, among spoken: Set<String>, _ corrections: inout SegmentCorrections, at place: String
    ) throws(DiaryError) {
        let segment = change.segment
        let corrected = change.text.applied(to: corrections.texts[segment])
        // What was heard is no correction.
        corrections.texts[segment] = corrected == heard.text ? nil : corrected
        if case .absent = change.speaker { return }
        let known = spoken.union(corrections.segmentSpeakers.values)
        let given = Self.known(change.speaker, among: known)
        if case .set(let label) = given { try check(label, among: known, at: "\(place)/speaker") }
        let label = given.applied(to: corrections.segmentSpeakers[segment])
        corrections.segmentSpeakers[segment] = label == heard.speaker ? nil : label
        // The name of a label that no segment has any more would come back with the label, for another speaker.
        let labels = spoken.union(corrections.segmentSpeakers.values)
        corrections.speakers = corrections.speakers.filter { labels.contains($0.key) }
        corrections.profiles = corrections.profiles.filter { labels.contains($0.key) }
    }

    /// - Parameter names: by speaker.
    package func run(
        _ id: EntryID, speakers names: [String: SpeakerNaming], matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Corrected> {
        let profiles = try await profiles(for: names, of: member)
        return try await change(id, matching: match, by: member) { transcript, corrections throws(DiaryError) in
            _ = try transcript.recognized()
            let known = Set(transcript.allSpeakers)
            for (speaker, naming) in names {
                let pointer = "/" + speaker.replacing("~", with: "~0").replacing("/", with: "~1")
                guard known.contains(speaker) else { throw .invalid(pointer, "is not a speaker of the recording") }
                switch naming {
                case .name(let name):
                    corrections.speakers[speaker] = name.trimmed.applied(to: corrections.speakers[speaker])
                    corrections.profiles[speaker] = nil
                case .profile(let id):
                    guard let profile = profiles.first(where: { $0.id == id }) else {
                        throw .invalid("\(pointer)/speaker_id", "is not a speaker of the account")
                    }
                    corrections.speakers[speaker] = profile.name
                    corrections.profiles[speaker] = id.uuid
                case .withoutProfile: corrections.profiles[speaker] = nil
                }
            }
        }
    }

    /// Those that can be pointed to; none are read where none is named.
    private func profiles(
        for names: [String: SpeakerNaming], of member: Member
    ) async throws(DiaryError) -> [SpeakerProfile] {
        guard names.values.contains(where: { if case .profile = $0 { true } else { false } }) else { return [] }
        let stored = try await speakers.speakers(of: member)
        let vault = try await keys.vault(of: member)
        return stored.map { vault.open($0) }
    }

    /// Unicode code points of a new label. Engines' labels have no more.
    private static let labelLength = 40

    /// The label as it is given where the recording has it: labels that an import brought may have blanks at their ends. Others are
    /// trimmed.
    private static func known(_ speaker: Patch<String>, among labels: Set<String>) -> Patch<String> {
        if case .set(let label) = speaker, labels.contains(label) { return speaker }
        return speaker.trimmed
    }

    /// A label that the recording has, or a new one.
    private static func check(_ label: String, among labels: Set<String>, at place: String) throws(DiaryError) {
        guard !labels.contains(label) else { return }
        guard labels.count < SegmentCorrections.mostSpeakers else {
            throw .invalid(place, "must be a speaker of the recording, which has \(labels.count)")
        }
        guard label.unicodeScalars.count <= labelLength, SpeakerLabel.text(label) == label else {
            throw .invalid(place, "must be a speaker of the recording, or a new label: one line of at most \(labelLength) characters")
        }
    }

    /// - Parameter texts: where the request has corrected texts.
    private func change(
        _ id: EntryID, matching match: VersionMatch, by member: Member, texts: String = "/text",
        _ change: (Transcript, inout SegmentCorrections) throws(DiaryError) -> Void
    ) async throws(DiaryError) -> VersionedWrite<Corrected> {
        let vault = try await keys.vault(of: member)
        // As in `EditEntry`. Also when a worker has replaced the segments meanwhile.
        for _ in 0..<3 {
            guard let stored = try await entries.transcript(id, timed: true, of: member) else { throw .notFound }
            if case .exactly(let version) = match, version != stored.entry.version { return .conflict(try vault.open(stored.entry)) }
            let transcript = try ReadEntries.open(stored, vault)
            var corrections = transcript.corrections
            try change(transcript, &corrections)
            let length = corrections.length
            guard length <= SegmentCorrections.longest || length <= transcript.corrections.length else {
                throw .invalid(texts, "the corrections of a recording have at most \(SegmentCorrections.longest) characters together")
            }
            guard let segments = stored.segments else { throw DiaryError(.transcriptNotReady) }
            guard corrections != transcript.corrections else {
                return .written(Corrected(transcript: transcript, version: stored.entry.version))
            }
            let version = stored.entry.version + 1
            // On the threads that all tasks share: of long texts other clients of the connection's event loop would wait for it.
            let corrected = await withTaskExecutorPreference(globalConcurrentExecutor) { [corrections] () async -> Transcript in
                transcript.corrected(by: corrections)
            }
            var rewrite = try vault.rewrite(corrected.entry.personal, of: id, over: stored.entry.version)
            rewrite.changesWords = true
            rewrite.corrections = CorrectionsWrite(
                sealed: try vault.seal(corrected.corrections, as: .corrections, row: id.uuid, version: version),
                segmentsVersion: segments.version, machineVersion: stored.entry.machine?.version ?? 0,
                speakers: Array(Set(corrections.profiles.values)))
            switch try await entries.rewritePersonal(rewrite, keyID: vault.key.id, by: member) {
            case .written(let entry):
                var written = corrected
                written.entry = try vault.open(entry)
                return .written(Corrected(transcript: written, version: entry.version))
            case .missing: throw .notFound
            case .conflict(let current) where match != .any && current.version != stored.entry.version:
                return .conflict(try vault.open(current))
            case .conflict: continue
            }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }
}
