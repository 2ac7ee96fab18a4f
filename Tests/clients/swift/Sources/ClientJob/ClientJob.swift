import Foundation
import OpenAPIClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Unexpected: Error {
    let what: String
}

/// From sign-up to the download of an export, as Tests/blackbox/client_job.py.
struct ClientJob {
    let mailbox: Mailbox
    let sample: Data
    /// What every string that may grow is answered as; nil for a service of this version.
    let unknown: String?
    /// Noon of 1 March 2026, UTC.
    let noon = Date(timeIntervalSince1970: 1_772_366_400)

    /// That day as an app has it from a calendar of Berlin: its first moment is the day before in UTC.
    func day() throws -> OpenAPIDateWithoutTime {
        guard let berlin = TimeZone(identifier: "Europe/Berlin") else { throw Unexpected(what: "no time zone of Berlin") }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = berlin
        return OpenAPIDateWithoutTime(wrappedDate: calendar.startOfDay(for: noon), timezone: berlin)
    }

    func run() async throws {
        try await signUp()
        let text = try await write("Planted tomatoes.", at: noon)
        let other = try await write("The day after.", at: noon.addingTimeInterval(86_400))
        let voice = try await record()
        try check(text.localDate.rawValue == "2026-03-01" && other.localDate.rawValue == "2026-03-02", "other days: \(text), \(other)")
        let since = try await lists(day: [text.id, voice.id], other: other.id)
        try await edit(text, since: since)
        try await transcripts(of: voice)
        try await play(voice)
        try await export()
        try await reads()
    }

    func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw Unexpected(what: what()) }
    }

    /// A value of this version, or the one that no client knows.
    func known(_ found: String, _ value: String) throws {
        try check(found == unknown ?? value, "\(found) instead of \(unknown ?? value)")
    }

    /// Asks until there is a value, for a minute.
    func wait<Value>(for what: String, _ ask: () async throws -> Value?) async throws -> Value {
        for _ in 0..<300 {
            if let value = try await ask() { return value }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw Unexpected(what: "\(what) did not come")
    }

    func signUp() async throws {
        let registration = Registration(email: mailbox.address, password: "a long enough passphrase 7", timeZone: "Europe/Berlin")
        let sent = try await SignInAPI.registerByEmail(registration: registration)
        let code = try await wait(for: "the code") { try mailbox.code() }
        let proof = Verification(email: mailbox.address, code: code, request: sent.request)
        let session = try await SignInAPI.verifyEmail(verification: proof)
        OpenAPIClientAPIConfiguration.shared.customHeaders["Authorization"] = "Bearer \(session.accessToken)"
        try check(try await AccountAPI.getProfile().email == mailbox.address, "another address")
    }

    func write(_ words: String, at moment: Date) async throws -> Entry {
        let new = EntryDraft(kind: .text, recordedAt: moment, timeZone: "Europe/Berlin", title: "Garden", text: words, tags: ["garden"])
        let entry = try await EntriesAPI.createEntry(entryDraft: new).entry
        try check(entry.text == words && entry.title == "Garden" && entry.recordedAt == moment, "another entry: \(entry)")
        try known(entry.kind, "text")
        return entry
    }

    func record() async throws -> Entry {
        let new = EntryDraft(
            kind: .voice, recordedAt: noon, timeZone: "Europe/Berlin", sizeBytes: Int64(sample.count), contentType: "audio/mp4")
        let started = try await EntriesAPI.createEntry(entryDraft: new)
        guard let upload = started.upload else { throw Unexpected(what: "no upload") }
        try await put(upload)
        _ = try await UploadsAPI.completeUpload(id: started.entryId)
        let entry = try await wait(for: "the transcript") {
            let entry = try await EntriesAPI.getEntry(id: started.entryId)
            try check(entry.status != "failed", "the recording failed: \(entry)")
            return entry.transcriptClean == nil ? nil : entry
        }
        try known(entry.status, "transcribed")
        try check(entry.sizeBytes == Int64(sample.count) && entry.title == nil, "another recording: \(entry)")
        return entry
    }

    func put(_ upload: SignedUrl) async throws {
        guard let url = URL(string: upload.url) else { throw Unexpected(what: "no URL: \(upload.url)") }
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        for (name, value) in upload.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (_, answer) = try await URLSession.shared.upload(for: request, from: sample)
        try check((answer as? HTTPURLResponse)?.statusCode == 200, "the upload was answered \(answer)")
    }

    /// The feed, all entries, and those of a day. Returns the feed's position.
    func lists(day ids: Set<UUID>, other: UUID) async throws -> String? {
        let feed = try await EntriesAPI.listChanges()
        for page in [feed, try await EntriesAPI.listEntries()] {
            try check(Set(page.items.map(\.id)) == ids.union([other]) && page.deleted.isEmpty && !page.hasMore, "another list: \(page)")
        }
        let ofDay = try await EntriesAPI.listEntries(from: day(), to: day())
        try check(Set(ofDay.items.map(\.id)) == ids, "another day: \(ofDay)")
        return feed.nextSince
    }

    func edit(_ entry: Entry, since: String?) async throws {
        let patch = EntryPatch(title: "By the river", tags: ["walk"])
        let edited = try await EntriesAPI.changeEntry(ifMatch: "\"\(entry.version)\"", id: entry.id, entryPatch: patch)
        try check(edited.title == "By the river" && edited.tags == ["walk"], "another edit: \(edited)")
        do {
            _ = try await EntriesAPI.changeEntry(ifMatch: "\"\(entry.version)\"", id: entry.id, entryPatch: EntryPatch(title: "Too late"))
            throw Unexpected(what: "an edit of an old version was taken")
        } catch let ErrorResponse.error(status, body, _, _) {
            let problem = try CodableHelper().jsonDecoder.decode(Problem.self, from: body ?? Data())
            try check(status == 412, "an edit of an old version was answered \(status)")
            try known(problem.code, "precondition_failed")
        }
        let cleared = try await EntriesAPI.changeEntry(ifMatch: "\"\(edited.version)\"", id: entry.id, entryPatch: EntryPatch(title: ""))
        try check(cleared.title == nil && cleared.text == entry.text, "not cleared: \(cleared)")
        for changes in [try await EntriesAPI.listChanges(since: since), try await EntriesAPI.listEntries(since: since)] {
            try check(changes.items.map(\.id) == [entry.id], "other changes: \(changes)")
        }
    }

    func transcripts(of entry: Entry) async throws {
        let transcript = try await EntriesAPI.getTranscript(id: entry.id)
        try check(transcript.text == entry.transcriptClean && transcript.raw == entry.transcriptRaw, "another transcript: \(transcript)")
        let text = try String(contentsOf: try await EntriesAPI.getTranscriptFile(format: .txt, id: entry.id), encoding: .utf8)
        try check(text.trimmingCharacters(in: .whitespacesAndNewlines) == entry.transcriptClean, "another text: \(text)")
    }

    func play(_ entry: Entry) async throws {
        let address = try await EntriesAPI.getAudioUrl(id: entry.id).url
        let (part, status) = try await get(address, range: "bytes=1000-1999")
        try check(status == 206 && part == sample[1000..<2000], "\(part.count) bytes, status \(status)")
    }

    func export() async throws {
        let asked = try await ExportsAPI.createExport(exportDraft: ExportDraft(from: day(), to: day()))
        let export = try await wait(for: "the export") {
            let export = try await ExportsAPI.getExport(id: asked.id)
            return export.readyAt == nil ? nil : export
        }
        try check(export.from?.rawValue == "2026-03-01" && export.to?.rawValue == "2026-03-01", "an export of other days: \(export)")
        try known(export.status, "ready")
        let (zip, status) = try await get(try await ExportsAPI.getExportUrl(id: asked.id).url)
        try check(status == 200 && export.entryCount == 2 && export.sizeBytes == Int64(zip.count), "\(zip.count) bytes, status \(status)")
        try check(zip.starts(with: Data("PK\u{3}\u{4}".utf8)), "no zip")
    }

    func reads() async throws {
        _ = try await AppAPI.getConfig()
        _ = try await ServiceAPI.getReadiness()
        _ = try await AccountAPI.getStatistics()
        _ = try await AccountAPI.listSessions()
        _ = try await AccountAPI.listEvents()
        _ = try await AccountAPI.listIdentities()
        _ = try await ExportsAPI.listExports()
    }

    func get(_ address: String, range: String? = nil) async throws -> (Data, Int) {
        guard let url = URL(string: address) else { throw Unexpected(what: "no URL: \(address)") }
        var request = URLRequest(url: url)
        if let range { request.setValue(range, forHTTPHeaderField: "Range") }
        let (body, answer) = try await URLSession.shared.data(for: request)
        return (body, (answer as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
