import DiaryCore
import FoundationEssentials
import WireFormats

/// Reads an element of `entries` in `manifest.json`, the form of this service's own exports (docs/export-manifest.schema.json).
struct DiaryExportElement {
    private typealias Fault = ImportFields.Fault

    /// Content versions and numbers of revisions: far below what would overflow in a later write.
    private static let versions: ClosedRange<Int64> = 1...1_000_000_000
    /// Seconds.
    private static let times: ClosedRange<Double> = 0...1_000_000
    /// Reasons of gaps: what the service had and could not read.
    private static let unreadable: Set<String> = ["damaged", "missing"]

    func read(_ object: JSONObject) -> ImportElement {
        let fields = ImportFields(object)
        let id = fields.value("id")?.string.flatMap { EntryID($0) }
        do throws(Fault) {
            return .entries([try entry(fields)])
        } catch {
            return .refused(error.code, id)
        }
    }

    private func head(_ f: ImportFields) throws(Fault) -> ImportCandidate {
        guard let id = try f.text("id", max: 36).flatMap({ EntryID($0) }), let kind = try f.choice("kind", of: EntryKind.self),
            let recordedAt = try f.time("recorded_at")
        else { throw Fault() }
        var entry = ImportCandidate(id: id, recordedAt: recordedAt, facts: GivenFacts(kind: kind))
        entry.facts.timeZone = try f.line("time_zone", max: 64).map { ZoneDatabase.spelling(of: $0) ?? $0 }
        entry.createdAt = try f.time("created_at")
        entry.facts.language = try f.line("language", max: 35)
        // It is told to engines.
        guard entry.facts.language?.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Self.isLetterOrDigit($0) }) ?? true else { throw Fault() }
        entry.facts.durationSeconds = try f.number("duration_s", in: Self.times)
        for text in [PersonalText.title] + PersonalText.remarks { entry.personal[text] = try f.filled(text.name, max: text.length) }
        entry.personal.tags = try f.texts("tags", maxCount: PersonalPart.tagCount, maxEach: PersonalPart.tagLength)
        if let metadata = try f.fields("metadata") {
            guard metadata.object.count <= EntryMetadata.most else { throw Fault() }
            for key in metadata.object.names {
                guard EntryMetadata.isKey(key) else { throw Fault() }
                entry.personal.metadata[key] = try metadata.text(key, max: EntryMetadata.valueLength)
            }
        }
        return entry
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private func file(_ f: ImportFields) throws(Fault) -> ImportCandidate.File {
        guard let size = try f.integer("size", in: 0...Int64.max), let sha256 = try f.digest("sha256") else { throw Fault() }
        return ImportCandidate.File(member: try f.required("path", max: 1_024), size: size, sha256: sha256)
    }

    private func entry(_ f: ImportFields) throws(Fault) -> ImportCandidate {
        var entry = try head(f)
        entry.facts.favorite = try f.bool("favorite") ?? false
        entry.facts.keepAudio = try f.bool("keep_audio") ?? false
        try readTexts(f, &entry)
        try readSegments(f, &entry)
        try readRevisions(f, &entry)
        try readVersions(f, &entry)
        try readRecording(f, &entry)
        // Only a recording has words of a machine.
        if entry.facts.kind == .text {
            (entry.machine, entry.segments, entry.personal.corrected) = (entry.machine?.withoutWords, nil, nil)
        }
        for gap in try f.objects("gaps", max: 1_000) where Self.unreadable.contains(try gap.text("reason", max: 40) ?? "") {
            entry.notes.append(.init(outcome: .failed, code: .exportedDamaged))
            break
        }
        return entry
    }

    private func readTexts(_ f: ImportFields, _ entry: inout ImportCandidate) throws(Fault) {
        let layers = try f.fields("layers")
        entry.personal.edited = try layers?.text("edited", max: PersonalText.text.length, code: .textTooLong)
        for note in try f.objects("notes", max: EntryNote.most) {
            guard let id = try note.text("id", max: 36).flatMap({ NoteID($0) }), let createdAt = try note.time("created_at") else {
                throw Fault()
            }
            let text = try note.required("text", max: EntryNote.length)
            let at = entry.facts.kind == .voice ? try note.number("at", in: EntryNote.times) : nil
            entry.personal.notes.append(EntryNote(id: id, text: text, at: at, createdAt: createdAt))
        }
        for answered in try f.objects("answered_suggestions", max: AnsweredSuggestion.most) {
            guard let kind = try answered.choice("kind", of: AnsweredSuggestion.Kind.self) else { continue }
            let suggestion = AnsweredSuggestion(kind, try answered.text("text", max: PersonalText.title.length) ?? "")
            entry.personal.answered.append(suggestion)
            if try answered.bool("accepted") == true { entry.personal.accepted.append(suggestion) }
        }
        var machine = MachinePart()
        machine.raw = try layers?.text("raw", max: ImportFields.machineTextLength, code: .textTooLong)
        machine.clean = try layers?.text("clean", max: ImportFields.machineTextLength, code: .textTooLong)
        let engines = try f.fields("engines")
        machine.speechEngine = try engine(try engines?.fields("speech"))
        machine.textEngine = try engine(try engines?.fields("text"))
        if let voice = try f.fields("voice") {
            let share = try voice.number("coverage", in: 0...1) ?? 1
            var gaps: [VoiceSpan] = []
            for gap in try voice.objects("gaps", max: 10_000) {
                guard let start = try gap.number("start", in: 0...1e6), let end = try gap.number("end", in: start...1e6) else { continue }
                gaps.append(VoiceSpan(start: start, end: end))
            }
            machine.coverage = VoiceCoverage(thousandths: Int((share * 1_000).rounded()), gaps: gaps)
        }
        if let cleanup = try f.fields("cleanup") {
            let score = try cleanup.number("score", in: 0...1) ?? 0
            machine.cleanup = Cleanup(
                thousandths: Int((score * 1_000).rounded()),
                reason: try cleanup.line("reason", max: 60).map(Cleanup.Reason.init(rawValue:)))
        }
        if let suggestions = try f.fields("suggestions") {
            machine.suggested = Suggestions(
                title: try suggestions.text("title", max: PersonalText.title.length),
                tags: try suggestions.texts("tags", maxCount: 60, maxEach: PersonalPart.tagLength),
                mood: try suggestions.text("mood", max: PersonalText.mood.length))
        }
        for text in MachineText.all { machine[text] = try f.text(text.rawValue, max: ImportFields.machineTextLength) }
        machine.keyPoints = try f.texts("key_points", maxCount: 100, maxEach: 10_000)
        if machine != MachinePart() { entry.machine = machine }
        if let corrected = try layers?.text("corrected", max: ImportFields.machineTextLength, code: .textTooLong) {
            entry.personal.corrected = CorrectedText(corrected, of: machine)
        }
    }

    private func engine(_ f: ImportFields?) throws(Fault) -> EngineReference? {
        guard let f else { return nil }
        guard let name = try f.line("name", max: 200), !name.utf8.contains(UInt8(ascii: "/")) else { throw Fault() }
        return EngineReference(name: name, model: try f.line("model", max: 200))
    }

    private func readSegments(_ f: ImportFields, _ entry: inout ImportCandidate) throws(Fault) {
        guard f.value("segments") != nil else { return }
        var segments: [SpeechSegment] = []
        var ids = Set<Int>()
        for one in try f.objects("segments", max: 500_000) {
            guard let id = try one.integer("id", in: 1...1_000_000).flatMap({ Int(exactly: $0) }), ids.insert(id).inserted else {
                throw Fault()
            }
            var words: [TimedWord] = []
            for word in try one.objects("words", max: 100_000) {
                let (start, end) = try times(word)
                words.append(
                    TimedWord(
                        text: try word.text("text", max: ImportFields.machineTextLength) ?? "", start: start, end: end,
                        confidence: try word.number("confidence", in: 0...1) ?? 0))
            }
            let (start, end) = try times(one)
            segments.append(
                SpeechSegment(
                    start: start, end: end, words: words, id: id, confidence: try one.number("confidence", in: 0...1),
                    speaker: try one.text("speaker", max: 200),
                    marks: one.value("marks") == nil ? nil : try one.texts("marks", maxCount: 50, maxEach: 100)))
            if let corrected = try one.text("corrected_text", max: 100_000) { entry.corrections.texts[id] = corrected }
            if let corrected = try one.filled("corrected_speaker", max: 200) { entry.corrections.segmentSpeakers[id] = corrected }
        }
        guard entry.corrections.length <= SegmentCorrections.longest else { throw Fault(code: .textTooLong) }
        for speaker in try f.objects("speakers", max: 10_000) {
            guard let name = try speaker.filled("name", max: 200).map(SingleLine.trimmed), !name.isEmpty else { continue }
            let label = try speaker.required("id", max: 200)
            entry.corrections.speakers[label] = name
            let profile = try speaker.text("speaker_id", max: 36).flatMap { SpeakerID($0) }
            if let profile { entry.corrections.profiles[label] = profile.uuid }
        }
        entry.segments = segments
    }

    private func times(_ f: ImportFields) throws(Fault) -> (Double, Double) {
        guard let start = try f.number("start", in: Self.times), let end = try f.number("end", in: Self.times) else { throw Fault() }
        return (start, end)
    }

    private func readRevisions(_ f: ImportFields, _ entry: inout ImportCandidate) throws(Fault) {
        for one in try f.objects("revisions", max: TextLayer.allCases.count * TextLayer.kept) {
            guard let layer = try one.choice("layer", of: TextLayer.self), let number = try one.integer("number", in: Self.versions),
                let replacedAt = try one.time("replaced_at")
            else { throw Fault() }
            var part = RevisionPart(
                text: try one.text("text", max: ImportFields.machineTextLength) ?? "", engine: try engine(try one.fields("engine")))
            for correction in try one.objects("corrections", max: 500_000) {
                guard let segment = try correction.integer("segment", in: 1...1_000_000).flatMap({ Int(exactly: $0) }) else {
                    throw Fault()
                }
                let (start, end) = try times(correction)
                part.corrections.append(
                    .init(
                        segment: segment, start: start, end: end, text: try correction.text("text", max: 100_000) ?? "",
                        speaker: try correction.filled("speaker", max: 200)))
            }
            entry.revisions.append(.init(layer: layer, number: number, replacedAt: replacedAt, part: part))
        }
    }

    /// A later revision has a greater number than those before: the version of the part that had the text.
    private func readVersions(_ f: ImportFields, _ entry: inout ImportCandidate) throws(Fault) {
        let versions = try f.fields("versions")
        let zeroed = 0...Self.versions.upperBound
        func least(_ layers: Set<TextLayer>) -> Int64 {
            1 + (entry.revisions.filter { layers.contains($0.layer) }.map(\.number).max() ?? 0)
        }
        let corrections = try versions?.integer("corrections", in: zeroed) ?? 0
        entry.personalVersion = max(try versions?.integer("personal", in: zeroed) ?? 0, least([.edited, .corrected]), corrections)
        entry.machineVersion = max(try versions?.integer("machine", in: zeroed) ?? 0, least([.raw, .clean]))
        entry.segmentsVersion = max(1, try versions?.integer("segments", in: zeroed) ?? 0)
        entry.correctionsVersion = max(1, corrections)
        // Nothing is there that could replace them.
        if entry.machine == nil { entry.revisions.removeAll { $0.layer == .raw || $0.layer == .clean } }
    }

    private func readRecording(_ f: ImportFields, _ entry: inout ImportCandidate) throws(Fault) {
        guard entry.facts.kind == .voice else { return }
        entry.isOnDevice = try f.text("audio", max: 40) == "device"
        if entry.isOnDevice { return }
        guard let recording = try f.fields("recording"), let contentType = try recording.line("content_type", max: 100) else {
            throw Fault()
        }
        let copy = try recording.fields("copy")
        var found: [(source: String, file: ImportCandidate.File)] = []
        for file in try f.objects("files", max: 16) where try file.text("role", max: 40) == "audio" {
            found.append((try file.text("source", max: 20) ?? "original", try self.file(file)))
        }
        let chosen = found.first { $0.source == "original" } ?? found.first
        guard let (source, file) = chosen else {
            guard let size = try recording.integer("size_bytes", in: 1...Int64(1) << 53) else { throw Fault() }
            entry.lost = ImportCandidate.LostRecording(
                contentType: contentType, sizeBytes: size, sha256: try recording.digest("sha256"), removedAt: try f.time("audio_removed_at")
            )
            return
        }
        entry.lost = ImportCandidate.LostRecording(
            contentType: contentType, sizeBytes: max(1, file.size ?? 1), sha256: source == "original" ? file.sha256 : nil)
        let type = source == "original" ? contentType : try copy?.line("content_type", max: 100) ?? contentType
        if let format = AudioFormat(contentType: type) {
            entry.recording = ImportCandidate.Recording(file: file, format: format)
        } else {
            guard entry.hasWords else { throw Fault(code: .recordingNotSupported) }
            entry.lost?.sha256 = nil
            entry.notes.append(.init(outcome: .failed, code: .recordingNotSupported, name: file.member))
        }
    }
}
