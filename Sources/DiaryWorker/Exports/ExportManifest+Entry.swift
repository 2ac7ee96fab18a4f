import DiaryCore
import FoundationEssentials
import WireFormats

extension ExportManifest {
    /// Everything that is stored about an entry.
    static func entry(_ exported: ExportedEntry, files: [ExportFileFacts], gaps: [ExportGap]) -> [UInt8] {
        let (entry, facts) = (exported.entry, exported.entry.facts)
        let texts = [entry.personal.edited, entry.personal.corrected?.text, entry.machine.clean, entry.machine.raw].reduce(0) {
            $0 + ($1?.utf8.count ?? 0)
        }
        return JSONWriter.object(capacity: 2_048 + texts + (exported.transcript.segments?.count ?? 0) * 1_024) { w in
            w.member("id", facts.id.description)
            w.member("kind", facts.kind.rawValue)
            w.member("status", facts.status.rawValue)
            writeProcessing(of: exported, to: &w)
            w.member("change_number", facts.changeNumber)
            w.member("versions") { w in
                w.member("personal", exported.versions.personal ?? 0)
                w.member("machine", exported.versions.machine ?? 0)
                w.memberIfPresent("segments", exported.versions.segments)
                w.memberIfPresent("corrections", exported.versions.corrections)
            }
            writeTimes(of: exported, to: &w)
            w.memberIfPresent("language", facts.language)
            w.memberIfPresent("duration_s", facts.durationSeconds.flatMap { $0.isFinite ? $0 : nil })
            w.member("favorite", facts.favorite)
            w.member("keep_audio", facts.keepAudio)
            if facts.isOnDevice { w.member("audio", "device") }
            w.memberIfPresent("title", entry.personal.title)
            w.member("tags", entry.personal.tags)
            for text in PersonalText.remarks { w.memberIfPresent(text.member, entry.personal[text]) }
            if !entry.personal.metadata.isEmpty { w.member("metadata", entry.personal.metadata) }
            w.member("layers") { w in
                w.memberIfPresent("raw", entry.machine.raw)
                w.memberIfPresent("clean", entry.machine.clean)
                w.memberIfPresent("edited", entry.personal.edited)
                w.memberIfPresent("corrected", entry.personal.corrected?.text)
            }
            writeNotes(entry.personal.notes, to: &w)
            writeResults(of: entry, to: &w)
            writeRecording(of: exported, to: &w)
            writeSpeech(of: exported.transcript, to: &w)
            writeRevisions(exported.revisions, to: &w)
            w.array("files", files) { w, file in w.object { write(file, to: &$0) } }
            w.array("gaps", gaps) { w, gap in
                w.object { w in
                    w.member("missing", gap.missing.rawValue)
                    w.member("reason", gap.reason.rawValue)
                    w.memberIfPresent("layer", gap.layer?.rawValue)
                    w.memberIfPresent("number", gap.number)
                }
            }
        }
    }

    private static func writeNotes(_ notes: [EntryNote], to w: inout JSONWriter) {
        guard !notes.isEmpty else { return }
        w.array("notes", notes) { w, note in
            w.object { w in
                w.member("id", note.id.description)
                w.member("text", note.text)
                w.memberIfPresent("at", note.at)
                w.member("created_at", RFC3339.exactText(note.createdAt))
            }
        }
    }

    private static func writeProcessing(of exported: ExportedEntry, to w: inout JSONWriter) {
        if let processing = exported.entry.facts.processing {
            w.member("processing") { w in
                w.member("stage", processing.stage.rawValue)
                w.member("attempt", processing.attempt)
                w.memberIfPresent("next_attempt_at", processing.nextAttemptAt.map(RFC3339.exactText))
                w.memberIfPresent("code", processing.code?.rawValue)
            }
        }
        if exported.run != EntryRun() {
            w.member("requested_run") { w in
                w.memberIfPresent("rerun_from", exported.run.rerunFrom?.rawValue)
                w.memberIfPresent("engine", exported.run.engine)
                w.memberIfPresent("language", exported.run.language)
            }
        }
    }

    private static func writeTimes(of exported: ExportedEntry, to w: inout JSONWriter) {
        let facts = exported.entry.facts
        w.member("recorded_at", RFC3339.exactText(facts.recordedAt))
        w.member("time_zone", facts.timeZone)
        w.member("local_time", local(facts.localTime))
        w.member("local_date", facts.day.description)
        w.member("created_at", RFC3339.exactText(facts.createdAt))
        w.member("updated_at", RFC3339.exactText(facts.updatedAt))
        w.memberIfPresent("upload_expires_at", facts.uploadExpiresAt.map(RFC3339.exactText))
        w.memberIfPresent("uploaded_at", exported.uploadedAt.map(RFC3339.exactText))
        w.memberIfPresent("audio_removed_at", facts.audioRemovedAt.map(RFC3339.exactText))
    }

    /// What machines made of the words, and what the owner thinks of it.
    private static func writeResults(of entry: Entry, to w: inout JSONWriter) {
        let machine = entry.machine
        if machine.speechEngine != nil || machine.textEngine != nil {
            w.member("engines") { w in
                if let mark = machine.speechEngine { w.member("speech") { write(mark, to: &$0) } }
                if let mark = machine.textEngine { w.member("text") { write(mark, to: &$0) } }
            }
        }
        if let coverage = machine.coverage {
            w.member("voice") { w in
                w.member("coverage", coverage.share)
                w.array("gaps", coverage.gaps) { w, gap in
                    w.object { w in
                        w.member("start", gap.start)
                        w.member("end", gap.end)
                    }
                }
            }
        }
        if let cleanup = machine.cleanup {
            w.member("cleanup") { w in
                w.member("state", cleanup.state.rawValue)
                w.member("score", cleanup.score)
                w.memberIfPresent("reason", cleanup.reason?.rawValue)
            }
        }
        if !machine.suggested.isEmpty {
            w.member("suggestions") { w in
                w.memberIfPresent("title", machine.suggested.title)
                w.member("tags", machine.suggested.tags)
                w.memberIfPresent("mood", machine.suggested.mood)
            }
        }
        if !entry.personal.answered.isEmpty {
            w.array("answered_suggestions", entry.personal.answered) { w, answer in
                let parts = answer.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                w.object { w in
                    w.member("kind", parts.first.map(String.init) ?? "")
                    w.member("text", parts.count == 2 ? String(parts[1]) : "")
                    if entry.personal.accepted.contains(answer) { w.member("accepted", true) }
                }
            }
        }
        for text in MachineText.all { w.memberIfPresent(text.member, machine[text]) }
        if !machine.keyPoints.isEmpty { w.member("key_points", machine.keyPoints) }
    }

    private static func writeRecording(of exported: ExportedEntry, to w: inout JSONWriter) {
        let facts = exported.entry.facts
        guard facts.kind == .voice, let contentType = facts.contentType, let size = facts.sizeBytes else { return }
        w.member("recording") { w in
            w.member("content_type", contentType)
            w.member("size_bytes", size)
            w.memberIfPresent("sha256", facts.sha256.map { Hex.encode($0) })
            w.member("kept", facts.audioRemovedAt == nil && exported.copy?.isOriginalKept != false)
            if let copy = exported.copy {
                w.member("copy") { w in
                    w.member("content_type", PlayableCopy.format.rawValue)
                    w.member("size_bytes", copy.sizeBytes)
                    w.member("sha256", Hex.encode(copy.sha256))
                }
            }
            w.memberIfPresent("waveform", exported.waveform.map { Base64.encode($0.peaks) })
        }
    }

    private static func writeSpeech(of transcript: Transcript, to w: inout JSONWriter) {
        guard let segments = transcript.segments else { return }
        w.array("segments", segments) { w, segment in
            w.object { w in
                w.memberIfPresent("id", segment.id)
                w.member("start", segment.start)
                w.member("end", segment.end)
                w.array("words", segment.words) { w, word in
                    w.object { w in
                        w.member("text", word.text)
                        w.member("start", word.start)
                        w.member("end", word.end)
                        w.member("confidence", word.confidence)
                    }
                }
                w.memberIfPresent("confidence", segment.confidence)
                w.memberIfPresent("speaker", segment.speaker)
                if let marks = segment.marks { w.member("marks", marks) }
                w.memberIfPresent("corrected_text", segment.editedText)
                w.memberIfPresent("corrected_speaker", segment.editedSpeaker)
            }
        }
        let speakers = transcript.allSpeakers
        if !speakers.isEmpty {
            w.array("speakers", speakers) { w, speaker in
                w.object { w in
                    w.member("id", speaker)
                    w.memberIfPresent("name", transcript.corrections.speakers[speaker])
                    w.memberIfPresent("speaker_id", transcript.corrections.profiles[speaker]?.lowercaseText)
                }
            }
        }
    }

    private static func writeRevisions(_ revisions: [Revision], to w: inout JSONWriter) {
        let readable = revisions.filter { $0.content != nil }
        guard !readable.isEmpty else { return }
        w.array("revisions", readable) { w, revision in
            guard let content = revision.content else { return }
            w.object { w in
                w.member("layer", revision.layer.rawValue)
                w.member("number", revision.number)
                w.member("replaced_at", RFC3339.exactText(revision.createdAt))
                w.member("text", content.text)
                if let mark = content.engine { w.member("engine") { write(mark, to: &$0) } }
                if !content.corrections.isEmpty {
                    w.array("corrections", content.corrections) { w, correction in
                        w.object { w in
                            w.member("segment", correction.segment)
                            w.member("start", correction.start)
                            w.member("end", correction.end)
                            w.member("text", correction.text)
                            w.memberIfPresent("speaker", correction.speaker)
                        }
                    }
                }
            }
        }
    }

    private static func write(_ reference: EngineReference, to w: inout JSONWriter) {
        w.member("name", reference.name)
        w.memberIfPresent("model", reference.model)
    }

    /// ISO 8601 without a zone: the recording's own wall clock.
    private static func local(_ time: LocalTime) -> String {
        let clock = time.stem.dropFirst(time.date.count + 1).map { $0 == "-" ? ":" : $0 }
        return "\(time.date)T\(String(clock))"
    }
}
