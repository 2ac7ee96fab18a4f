import DiaryCore
import FoundationEssentials
import WireFormats

/// An entry in `index.html`. All that comes from the diary passes `HTMLText.escaped`; addresses are names of members.
struct ExportArticle {
    let words: ExportIndexWords
    let dates: ReadableDates
    /// The account's: an entry that was made elsewhere says so.
    let timeZone: String
    let contents: ExportContents

    func html(_ exported: ExportedEntry, files: [ExportFileFacts], gaps: [ExportGap]) -> String {
        let (entry, facts) = (exported.entry, exported.entry.facts)
        let spoken = Self.language(facts.language)
        var html = "<article id=\"e\(facts.id)\">\n<h4>\(time(of: facts))"
        if let title = entry.personal.title, !title.isEmpty { html += " <bdi\(spoken)>\(HTMLText.escaped(title))</bdi>" }
        html += "</h4>\n"
        let remarks = self.remarks(entry)
        if !remarks.isEmpty { html += "<p class=\"facts\">\(remarks.joined(separator: " · "))</p>\n" }
        let recording = files.first { $0.role == .audio }
        if let recording {
            html += """
                <audio controls preload="none" src="\(HTMLText.escaped(recording.path))" aria-label="\(label(of: facts))"></audio>

                """
        }
        for gap in gaps { if let note = note(gap) { html += "<p class=\"gap\">\(HTMLText.escaped(note))</p>\n" } }
        html += text(of: exported.transcript, spoken)
        html += notes(of: entry.personal)
        html += summary(of: entry.machine, spoken)
        html += speech(of: exported.transcript, spoken)
        if !entry.personal.tags.isEmpty {
            let tags = entry.personal.tags.map { "<li><bdi>\(HTMLText.escaped($0))</bdi></li>" }.joined()
            html += "<ul class=\"tags\" aria-label=\"\(HTMLText.escaped(words[.tags]))\">\(tags)</ul>\n"
        }
        if !files.isEmpty {
            let links = files.map { "<a href=\"\(HTMLText.escaped($0.path))\">\(HTMLText.escaped(name(of: $0.role)))</a>" }.joined(
                separator: " ")
            html += "<p class=\"files\">\(HTMLText.escaped(words[.files])) \(links)</p>\n"
        }
        return html + "</article>\n"
    }

    private func time(of facts: EntryFacts) -> String {
        let clock = dates.clock(facts.localTime)
        let day = CalendarDay(facts.localTime)
        // After midnight and before the owner's day ends.
        let shown = day == facts.day ? clock : "\(dates.text(day)), \(clock)"
        return "<time datetime=\"\(RFC3339.text(facts.recordedAt))\">\(HTMLText.escaped(shown))</time>"
    }

    /// What a screen reader says of the player.
    private func label(of facts: EntryFacts) -> String {
        let time = "\(dates.text(CalendarDay(facts.localTime))), \(dates.clock(facts.localTime))"
        return HTMLText.escaped(words[.recordingOf].replacing("#", with: time))
    }

    private func remarks(_ entry: Entry) -> [String] {
        let facts = entry.facts
        var remarks: [String] = []
        if facts.timeZone != timeZone { remarks.append(HTMLText.escaped(dates.zone(facts.timeZone, at: facts.recordedAt))) }
        if let seconds = facts.durationSeconds, seconds.isFinite { remarks.append(Self.duration(seconds)) }
        if facts.favorite { remarks.append(HTMLText.escaped(words[.favorite])) }
        for text in PersonalText.remarks {
            guard let remark = entry.personal[text], !remark.isEmpty else { continue }
            let label = ExportIndexWord(rawValue: text.name).map { "\(HTMLText.escaped(words[$0])) " } ?? ""
            remarks.append("\(label)<bdi>\(HTMLText.escaped(remark))</bdi>")
        }
        return remarks
    }

    /// In the layer that was asked for; where there is none of it, as the app shows the entry.
    private func text(of transcript: Transcript, _ spoken: String) -> String {
        let text: String? =
            switch ExportedTexts.words(of: transcript, contents.layer) {
            case .success(let (words, _)): words
            case .failure: transcript.entry.text
            }
        guard let text, !text.isEmpty else { return "" }
        return "<div class=\"words\"\(spoken) dir=\"auto\">\(HTMLText.escaped(text))</div>\n"
    }

    private func notes(of personal: PersonalPart) -> String {
        guard !personal.notes.isEmpty else { return "" }
        let items = personal.orderedNotes.map { note in
            let place = note.place.map { "<span class=\"at\">\($0)</span> " } ?? ""
            return "<li>\(place)<bdi>\(HTMLText.escaped(SingleLine.text(note.text)))</bdi></li>"
        }
        return "<p>\(HTMLText.escaped(words[.notes]))</p>\n<ul>\(items.joined(separator: "\n"))</ul>\n"
    }

    private func summary(of machine: MachinePart, _ spoken: String) -> String {
        guard machine.summary != nil || !machine.keyPoints.isEmpty else { return "" }
        var html = "<details class=\"more\"><summary>\(HTMLText.escaped(words[.summary]))</summary>\n"
        if let summary = machine.summary { html += "<p\(spoken) dir=\"auto\">\(HTMLText.escaped(summary))</p>\n" }
        if !machine.keyPoints.isEmpty {
            html += "<ul\(spoken)>\(machine.keyPoints.map { "<li dir=\"auto\">\(HTMLText.escaped($0))</li>" }.joined())</ul>\n"
        }
        return html + "</details>\n"
    }

    /// Where it says more than the words: who speaks, or what the owner has corrected.
    private func speech(of transcript: Transcript, _ spoken: String) -> String {
        let labels = transcript.speakerLabels
        let segments = (transcript.segments ?? []).filter { !$0.shownText.isEmpty }
        guard !labels.isEmpty || segments.contains(where: \.isEdited) else { return "" }
        let lines = segments.map { segment in
            let speaker = segment.shownSpeaker.flatMap { labels[$0] }.map { "<b><bdi>\(HTMLText.escaped($0))</bdi></b> " } ?? ""
            return
                "<li><span class=\"at\">\(Self.position(segment.start))</span> \(speaker)<bdi>\(HTMLText.escaped(segment.shownText))</bdi></li>"
        }
        let summary = HTMLText.escaped(words[.transcript])
        return "<details class=\"more\"><summary>\(summary)</summary>\n<ol\(spoken)>\(lines.joined(separator: "\n"))</ol>\n</details>\n"
    }

    /// An attribute for the diary's own words; what the page says beside them is in the page's language. Only what has the form of a language
    /// tag (RFC 5646).
    private static func language(_ tag: String?) -> String {
        guard let tag, (2...35).contains(tag.utf8.count),
            tag.utf8.allSatisfy({
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-")
            })
        else { return "" }
        return " lang=\"\(tag)\""
    }

    /// `1 h 2 min`, `1 min 5 s`, `12 s`.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.rounded(), 0), 1_000_000))
        if whole >= 3_600 { return "\(whole / 3_600) h \(whole / 60 % 60) min" }
        return whole >= 60 ? "\(whole / 60) min \(whole % 60) s" : "\(whole) s"
    }

    /// `1:02:05`, `0:42`.
    private static func position(_ seconds: Double) -> String {
        let whole = seconds.isFinite ? Int(min(max(seconds, 0), 1_000_000)) : 0
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : String(minutes)) + ":\(two(whole % 60))"
    }

    private func name(of role: ExportFileFacts.Role) -> String {
        switch role {
        case .audio: words[.recording]
        case .txt: words[.text]
        case .md: "Markdown"
        case .srt: words[.subtitles]
        case .transcript_json: "transcript.json"
        case .metadata_json: "metadata.json"
        case .index: words[.index]
        }
    }

    /// nil for what the page does not show anyway.
    private func note(_ gap: ExportGap) -> String? {
        switch (gap.missing, gap.reason) {
        case (.audio, .removed): words[.removed]
        case (.audio, .onDevice): words[.onDevice]
        case (.audio, .refused): words[.refused]
        case (.audio, .damaged): words[.damagedRecording]
        case (.audio, .missing): words[.missingRecording]
        case (.audio, _): words[.notArrived]
        case (.personal, _), (.machine, _): words[.damaged]
        case (.segments, _), (.corrections, _): words[.damagedTimes]
        case (.txt, .noTranscript), (.md, .noTranscript): words[.notTranscribed]
        case (.txt, .layerMissing), (.md, .layerMissing): words[.otherLayer]
        case (.txt, _), (.md, _), (.srt, _), (.transcript_json, _), (.metadata_json, _), (.revision, _), (.waveform, _): nil
        }
    }
}
