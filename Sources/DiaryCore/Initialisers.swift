// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import DiaryCrypto
package import FoundationEssentials

extension AccountStatistics {
    package init(months: [Month], usage: AccountUsage = AccountUsage(), limits: UsageLimits = UsageLimits(), _: Void = ()) {
        self.months = months
        self.usage = usage
        self.limits = limits
    }
}

extension AccountStatistics.Month {
    package init(year: Int, month: Int, counts: AccountStatistics.Counts, _: Void = ()) {
        self.year = year
        self.month = month
        self.counts = counts
    }
}

extension AccountStatistics.Counts {
    package init(recordings: Int64 = 0, texts: Int64 = 0, durationSeconds: Double = 0, sizeBytes: Int64 = 0, _: Void = ()) {
        self.recordings = recordings
        self.texts = texts
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
    }
}

extension Preferences {
    package init(
        dayEndsMinute: Int = 0, languages: [String] = [], hostedProcessingConsentAt: Date? = nil, recordingsRetentionDays: Int? = nil,
        engines: EngineChoice = EngineChoice(), _: Void = ()
    ) {
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.hostedProcessingConsentAt = hostedProcessingConsentAt
        self.recordingsRetentionDays = recordingsRetentionDays
        self.engines = engines
    }
}

extension Profile {
    package init(email: String?, stored: StoredProfile, name: String?, vocabulary: [String] = [], _: Void = ()) {
        self.email = email
        self.stored = stored
        self.name = name
        self.vocabulary = vocabulary
    }
}

extension SessionView {
    package init(id: SessionID, device: String?, place: String?, createdAt: Date, lastUsedAt: Date, isCurrent: Bool, _: Void = ()) {
        self.id = id
        self.device = device
        self.place = place
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.isCurrent = isCurrent
    }
}

extension StoredSession {
    package init(
        id: SessionID, deviceSealed: [UInt8]?, placeSealed: [UInt8]?, createdAt: Date, lastUsedAt: Date, provedAt: Date, _: Void = ()
    ) {
        self.id = id
        self.deviceSealed = deviceSealed
        self.placeSealed = placeSealed
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.provedAt = provedAt
    }
}

extension AdministeredExport {
    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, kind: EntryKind?, contents: ExportContents, maxDownloads: Int, job: NewJob,
        _: Void = ()
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.kind = kind
        self.contents = contents
        self.maxDownloads = maxDownloads
        self.job = job
    }
}

extension CheckRestore.Counts {
    package init(
        accounts: Int = 0, keys: Int = 0, recordings: Int = 0, zips: Int = 0, objects: Int = 0, waitingDeletions: Int = 0, _: Void = ()
    ) {
        self.accounts = accounts
        self.keys = keys
        self.recordings = recordings
        self.zips = zips
        self.objects = objects
        self.waitingDeletions = waitingDeletions
    }
}

extension EntryProgress {
    package init(
        owner: Owner, slug: String, kind: EntryKind, status: EntryStatus, stage: String?, attempt: Int, code: String?, nextAttemptAt: Date?,
        createdAt: Date, uploadedAt: Date?, deletedAt: Date?, _: Void = ()
    ) {
        self.owner = owner
        self.slug = slug
        self.kind = kind
        self.status = status
        self.stage = stage
        self.attempt = attempt
        self.code = code
        self.nextAttemptAt = nextAttemptAt
        self.createdAt = createdAt
        self.uploadedAt = uploadedAt
        self.deletedAt = deletedAt
    }
}

extension ExportOverview {
    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, contents: ExportContents, kind: EntryKind?, hasTags: Bool, status: ExportStatus,
        code: ProcessingCode?, mailStatus: ExportMailStatus, sizeBytes: Int64?, entryCount: Int64?, createdAt: Date, readyAt: Date?,
        expiresAt: Date?, downloads: Int64, maxDownloads: Int64, revokedAt: Date?, _: Void = ()
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.contents = contents
        self.kind = kind
        self.hasTags = hasTags
        self.status = status
        self.code = code
        self.mailStatus = mailStatus
        self.sizeBytes = sizeBytes
        self.entryCount = entryCount
        self.createdAt = createdAt
        self.readyAt = readyAt
        self.expiresAt = expiresAt
        self.downloads = downloads
        self.maxDownloads = maxDownloads
        self.revokedAt = revokedAt
    }
}

extension JobCount {
    package init(kind: JobKind, state: String, jobs: Int, due: Int, oldestDue: Date?, _: Void = ()) {
        self.kind = kind
        self.state = state
        self.jobs = jobs
        self.due = due
        self.oldestDue = oldestDue
    }
}

extension JobFilter {
    package init(
        job: JobID? = nil, subject: UUID? = nil, user: UserID? = nil, tenant: TenantID? = nil, states: [String]? = nil, limit: Int,
        _: Void = ()
    ) {
        self.job = job
        self.subject = subject
        self.user = user
        self.tenant = tenant
        self.states = states
        self.limit = limit
    }
}

extension JobOverview {
    package init(
        id: JobID, owner: Owner, slug: String, kind: JobKind, subject: UUID, state: String, attempts: Int, errors: Int, crashes: Int,
        code: String?, runAt: Date, leaseUntil: Date?, leasedBy: String?, createdAt: Date, finishedAt: Date?, _: Void = ()
    ) {
        self.id = id
        self.owner = owner
        self.slug = slug
        self.kind = kind
        self.subject = subject
        self.state = state
        self.attempts = attempts
        self.errors = errors
        self.crashes = crashes
        self.code = code
        self.runAt = runAt
        self.leaseUntil = leaseUntil
        self.leasedBy = leasedBy
        self.createdAt = createdAt
        self.finishedAt = finishedAt
    }
}

extension RestoredAccount {
    package init(owner: Owner, keyID: UUID, isGoing: Bool, _: Void = ()) {
        self.owner = owner
        self.keyID = keyID
        self.isGoing = isGoing
    }
}

extension RestoredKey {
    package init(owner: Owner, key: WrappedKey, createdAt: Date, _: Void = ()) {
        self.owner = owner
        self.key = key
        self.createdAt = createdAt
    }
}

extension NamedObject {
    package init(owner: Owner, id: UUID, object: UUID, _: Void = ()) {
        self.owner = owner
        self.id = id
        self.object = object
    }
}

extension RestoredEpoch {
    package init(isOld: Bool, lost: [ClosedRange<Date>], kept: [ClosedRange<Date>], _: Void = ()) {
        self.isOld = isOld
        self.lost = lost
        self.kept = kept
    }
}

extension RetryFilter {
    package init(job: JobID? = nil, code: String? = nil, tenant: TenantID? = nil, _: Void = ()) {
        self.job = job
        self.code = code
        self.tenant = tenant
    }
}

extension RetriedJob {
    package init(id: JobID, kind: JobKind, isReady: Bool, _: Void = ()) {
        self.id = id
        self.kind = kind
        self.isReady = isReady
    }
}

extension UserOverview {
    package init(
        createdAt: Date, disabledAt: Date?, deletedAt: Date?, signInMethods: [String], liveSessions: Int, lastUsedAt: Date?, entries: Int,
        recordingBytes: Int64, exports: Int, waitingJobs: Int, deadJobs: Int, _: Void = ()
    ) {
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.deletedAt = deletedAt
        self.signInMethods = signInMethods
        self.liveSessions = liveSessions
        self.lastUsedAt = lastUsedAt
        self.entries = entries
        self.recordingBytes = recordingBytes
        self.exports = exports
        self.waitingJobs = waitingJobs
        self.deadJobs = deadJobs
    }
}

extension VerifyObjects.Counts {
    package init(recordings: Int = 0, copies: Int = 0, zips: Int = 0, objects: Int = 0, hashed: Int = 0, kept: Int = 0, _: Void = ()) {
        self.recordings = recordings
        self.copies = copies
        self.zips = zips
        self.objects = objects
        self.hashed = hashed
        self.kept = kept
    }
}

extension WaitingUploads.Counts {
    package init(recordings: Int = 0, zips: Int = 0, parts: Int = 0, begun: Int = 0, _: Void = ()) {
        self.recordings = recordings
        self.zips = zips
        self.parts = parts
        self.begun = begun
    }
}

extension WorkerOverview {
    package init(name: String, version: String, startedAt: Date, seenAt: Date, isAlive: Bool, _: Void = ()) {
        self.name = name
        self.version = version
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isAlive = isAlive
    }
}

extension AppSecretEntry {
    package init(name: String, masterID: String, setAt: Date, _: Void = ()) {
        self.name = name
        self.masterID = masterID
        self.setAt = setAt
    }
}

extension BreakerPolicy {
    package init(failures: Int = 5, baseSeconds: Double, capSeconds: Double, refusedSeconds: Double, _: Void = ()) {
        self.failures = failures
        self.baseSeconds = baseSeconds
        self.capSeconds = capSeconds
        self.refusedSeconds = refusedSeconds
    }
}

extension OpenBreaker {
    package init(engine: EngineKey, isRefused: Bool, failures: Int, seconds: Double, _: Void = ()) {
        self.engine = engine
        self.isRefused = isRefused
        self.failures = failures
        self.seconds = seconds
    }
}

extension EngineChoice {
    package init(speech: String? = nil, text: String? = nil, _: Void = ()) {
        self.speech = speech
        self.text = text
    }
}

extension EngineCall {
    package init(owner: Owner, entry: EntryID, audioSeconds: Double = 0, characters: Int = 0, _: Void = ()) {
        self.owner = owner
        self.entry = entry
        self.audioSeconds = audioSeconds
        self.characters = characters
    }
}

extension EngineOffer {
    package init(speech: [Option] = [], text: [Option] = [], _: Void = ()) {
        self.speech = speech
        self.text = text
    }
}

extension EngineOffer.Option {
    package init(name: String, kind: EngineKind, isLocal: Bool = false, _: Void = ()) {
        self.name = name
        self.kind = kind
        self.isLocal = isLocal
    }
}

extension EnginePrice {
    package init(perMinute: Int64 = 0, perMillionInputTokens: Int64 = 0, perMillionOutputTokens: Int64 = 0, _: Void = ()) {
        self.perMinute = perMinute
        self.perMillionInputTokens = perMillionInputTokens
        self.perMillionOutputTokens = perMillionOutputTokens
    }
}

extension FixedEngines {
    package init(speech: [ConfiguredEngine<any SpeechEngine>], text: [ConfiguredEngine<any TextEngine>], _: Void = ()) {
        self.speech = speech
        self.text = text
    }
}

extension EngineUse {
    package init(audioSeconds: Double = 0, inputTokens: Int = 0, outputTokens: Int = 0, _: Void = ()) {
        self.audioSeconds = audioSeconds
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }
}

extension KnownSpeaker {
    package init(name: String, sample: [UInt8], contentType: String, _: Void = ()) {
        self.name = name
        self.sample = sample
        self.contentType = contentType
    }
}

extension SpeechPart {
    package init(
        index: Int, start: Double, end: Double, next: Double?, asked: String?, language: String, model: String?, segments: [SpeechSegment],
        voice: [VoiceSpan]? = nil, _: Void = ()
    ) {
        self.index = index
        self.start = start
        self.end = end
        self.next = next
        self.asked = asked
        self.language = language
        self.model = model
        self.segments = segments
        self.voice = voice
    }
}

extension StoredSpeechPart {
    package init(index: Int, fromMilliseconds: Int64, toMilliseconds: Int64, sealed: [UInt8], _: Void = ()) {
        self.index = index
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.sealed = sealed
    }
}

extension SpeechRequest {
    package init(
        language: String? = nil, userLanguages: [String] = [], offered: [String] = [], vocabulary: [String] = [],
        speakers: [KnownSpeaker] = [], failedTries: Int = 0, parts: SpeechPartAccess? = nil, steps: CallSteps? = nil, _: Void = ()
    ) {
        self.language = language
        self.userLanguages = userLanguages
        self.offered = offered
        self.vocabulary = vocabulary
        self.speakers = speakers
        self.failedTries = failedTries
        self.parts = parts
        self.steps = steps
    }
}

extension StoredAppSecret {
    package init(tenant: TenantID, name: String, masterID: String, sealed: [UInt8], setAt: Date, _: Void = ()) {
        self.tenant = tenant
        self.name = name
        self.masterID = masterID
        self.sealed = sealed
        self.setAt = setAt
    }
}

extension StoredChains {
    package init(engines: [EngineSettings] = [], secrets: [String: StoredAppSecret] = [:], _: Void = ()) {
        self.engines = engines
        self.secrets = secrets
    }
}

extension TextAnswer {
    package init(
        clean: String, title: String? = nil, summary: String? = nil, keyPoints: [String] = [], tags: [String] = [], mood: String? = nil,
        model: String? = nil, use: EngineUse = EngineUse(), _: Void = ()
    ) {
        self.clean = clean
        self.title = title
        self.summary = summary
        self.keyPoints = keyPoints
        self.tags = tags
        self.mood = mood
        self.model = model
        self.use = use
    }
}

extension TextRequest {
    package init(extras: Set<Extra> = [], prompt: String? = nil, steps: CallSteps? = nil, _: Void = ()) {
        self.extras = extras
        self.prompt = prompt
        self.steps = steps
    }
}

extension DateCursor {
    package init(position: DatePosition, _: Void = ()) {
        self.position = position
    }
}

extension DatePosition {
    package init(recordedAt: Date, id: EntryID, _: Void = ()) {
        self.recordedAt = recordedAt
        self.id = id
    }
}

extension DateQuery {
    package init(
        from: CalendarDay?, to: CalendarDay?, order: DateOrder, after: DatePosition?, limit: Int, filter: EntryFilter = EntryFilter(),
        view: EntryView = .full, _: Void = ()
    ) {
        self.from = from
        self.to = to
        self.order = order
        self.after = after
        self.limit = limit
        self.filter = filter
        self.view = view
    }
}

extension DayCount {
    package init(day: CalendarDay, entries: Int64, recordings: Int64, durationSeconds: Double, _: Void = ()) {
        self.day = day
        self.entries = entries
        self.recordings = recordings
        self.durationSeconds = durationSeconds
    }
}

extension Entry {
    package init(facts: EntryFacts, personal: PersonalPart, machine: MachinePart, version: Int64, damage: Damage = [], _: Void = ()) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
        self.version = version
        self.damage = damage
    }
}

extension EntryDraft {
    package init(
        id: EntryID?, idempotencyKey: String?, kind: EntryKind, recordedAt: Date?, timeZone: String?, durationSeconds: Double?,
        sizeBytes: Int64?, contentType: String?, sha256: [UInt8]?, language: String?, favorite: Bool = false, keepAudio: Bool = false,
        allowsDuplicate: Bool = false, wantsParts: Bool = false, personal: PersonalPart, _: Void = ()
    ) {
        self.id = id
        self.idempotencyKey = idempotencyKey
        self.kind = kind
        self.recordedAt = recordedAt
        self.timeZone = timeZone
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.favorite = favorite
        self.keepAudio = keepAudio
        self.allowsDuplicate = allowsDuplicate
        self.wantsParts = wantsParts
        self.personal = personal
    }
}

extension UploadReopening {
    package init(keyID: UUID, windowSeconds: Int, object: UUID, storageLimit: Int64?, _: Void = ()) {
        self.keyID = keyID
        self.windowSeconds = windowSeconds
        self.object = object
        self.storageLimit = storageLimit
    }
}

extension Processing {
    package init(
        stage: JobKind, attempt: Int, nextAttemptAt: Date?, code: ProcessingCode?, retryable: Bool, action: ProcessingAction = .wait,
        place: QueuePlace? = nil, _: Void = ()
    ) {
        self.stage = stage
        self.attempt = attempt
        self.nextAttemptAt = nextAttemptAt
        self.code = code
        self.retryable = retryable
        self.action = action
        self.place = place
    }
}

extension QueuePlace {
    package init(position: Int? = nil, waitSeconds: Double? = nil, percent: Int? = nil, _: Void = ()) {
        self.position = position
        self.waitSeconds = waitSeconds
        self.percent = percent
    }
}

extension ReadEntries.Feed {
    package init(entries: [Entry], next: String, hasMore: Bool, _: Void = ()) {
        self.entries = entries
        self.next = next
        self.hasMore = hasMore
    }
}

extension ReadEntries.Listing {
    package init(entries: [Entry], next: String?, _: Void = ()) {
        self.entries = entries
        self.next = next
    }
}

extension EntryRun {
    package init(rerunFrom: JobKind? = nil, engine: String? = nil, language: String? = nil, _: Void = ()) {
        self.rerunFrom = rerunFrom
        self.engine = engine
        self.language = language
    }
}

extension NewRun {
    package init(stage: Stage, language: String? = nil, engine: String? = nil, _: Void = ()) {
        self.stage = stage
        self.language = language
        self.engine = engine
    }
}

extension ReadRevisions.Listing {
    package init(revisions: [Revision], next: RevisionCursor?, _: Void = ()) {
        self.revisions = revisions
        self.next = next
    }
}

extension Revision {
    package init(number: Int64, layer: TextLayer, createdAt: Date, content: RevisionPart?, _: Void = ()) {
        self.number = number
        self.layer = layer
        self.createdAt = createdAt
        self.content = content
    }
}

extension RevisionCursor {
    package init(number: Int64, _: Void = ()) {
        self.number = number
    }
}

extension RevisionPart.Correction {
    package init(segment: Int, start: Double, end: Double, text: String, speaker: String? = nil, _: Void = ()) {
        self.segment = segment
        self.start = start
        self.end = end
        self.text = text
        self.speaker = speaker
    }
}

extension SealedRevision {
    package init(layer: TextLayer, number: Int64, sealed: [UInt8], _: Void = ()) {
        self.layer = layer
        self.number = number
        self.sealed = sealed
    }
}

extension StoredRevision {
    package init(sealed: SealedColumn, createdAt: Date, _: Void = ()) {
        self.sealed = sealed
        self.createdAt = createdAt
    }
}

extension CorrectSegments.Corrected {
    package init(transcript: Transcript, version: Int64, _: Void = ()) {
        self.transcript = transcript
        self.version = version
    }
}

extension StoredCorrections {
    package init(sealed: SealedColumn, segmentsVersion: Int64, _: Void = ()) {
        self.sealed = sealed
        self.segmentsVersion = segmentsVersion
    }
}

extension CorrectionsWrite {
    package init(sealed: [UInt8], segmentsVersion: Int64, _: Void = ()) {
        self.sealed = sealed
        self.segmentsVersion = segmentsVersion
    }
}

extension StartedEntry {
    package init(entry: Entry, upload: UploadTarget?, replayed: Bool, _: Void = ()) {
        self.entry = entry
        self.upload = upload
        self.replayed = replayed
    }
}

extension StoredEntry {
    package init(
        facts: EntryFacts, personal: SealedColumn?, machine: SealedColumn?, run: EntryRun = EntryRun(), copy: PlayableCopy? = nil,
        hasParts: Bool = false, _: Void = ()
    ) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
        self.run = run
        self.copy = copy
        self.hasParts = hasParts
    }
}

extension StoredTranscript {
    package init(entry: StoredEntry, segments: SealedColumn?, corrections: StoredCorrections? = nil, locale: String?, _: Void = ()) {
        self.entry = entry
        self.segments = segments
        self.corrections = corrections
        self.locale = locale
    }
}

extension Suggestions {
    package init(title: String? = nil, tags: [String] = [], mood: String? = nil, _: Void = ()) {
        self.title = title
        self.tags = tags
        self.mood = mood
    }
}

extension SyncCursor {
    package init(changeNumber: Int64, purgedThrough: Int64, epoch: Int64, _: Void = ()) {
        self.changeNumber = changeNumber
        self.purgedThrough = purgedThrough
        self.epoch = epoch
    }
}

extension Deletion {
    package init(
        requestedAt: Date, keyDestroyedAt: Date? = nil, erasedAt: Date? = nil, sweptAt: Date? = nil, counts: Counts = Counts(), _: Void = ()
    ) {
        self.requestedAt = requestedAt
        self.keyDestroyedAt = keyDestroyedAt
        self.erasedAt = erasedAt
        self.sweptAt = sweptAt
        self.counts = counts
    }
}

extension Deletion.Counts {
    package init(
        entries: Int64 = 0, objects: Int64 = 0, exports: Int64 = 0, mails: Int64 = 0, sessions: Int64 = 0, keys: Int64 = 0, _: Void = ()
    ) {
        self.entries = entries
        self.objects = objects
        self.exports = exports
        self.mails = mails
        self.sessions = sessions
        self.keys = keys
    }
}

extension LeasedDeletion {
    package init(id: DeletionID, subjectSealed: [UInt8], attempt: Int, isKeyDestroyed: Bool, isErased: Bool, _: Void = ()) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.attempt = attempt
        self.isKeyDestroyed = isKeyDestroyed
        self.isErased = isErased
    }
}

extension NewDeletion {
    package init(id: DeletionID, receiptHash: [UInt8], subjectSealed: [UInt8], uploadSeconds: Int, _: Void = ()) {
        self.id = id
        self.receiptHash = receiptHash
        self.subjectSealed = subjectSealed
        self.uploadSeconds = uploadSeconds
    }
}

extension DeletedEntry {
    package init(id: EntryID, deletedAt: Date, _: Void = ()) {
        self.id = id
        self.deletedAt = deletedAt
    }
}

extension DownloadExport.Zip {
    package init(
        size: Int64, filename: String, object: UUID, read: @escaping @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream,
        _: Void = ()
    ) {
        self.size = size
        self.filename = filename
        self.object = object
        self.read = read
    }
}

extension DownloadExport.Page {
    package init(export: Export, appName: String?, _: Void = ()) {
        self.export = export
        self.appName = appName
    }
}

extension ExportCheckpoint {
    package init(object: UUID, parts: [Part], _: Void = ()) {
        self.object = object
        self.parts = parts
    }
}

extension ExportCheckpoint.Part {
    package init(entryCount: Int, object: UUID?, sizeBytes: Int64?, _: Void = ()) {
        self.entryCount = entryCount
        self.object = object
        self.sizeBytes = sizeBytes
    }
}

extension ExportEstimate.Counts {
    package init(entries: Int64, recordings: Int64, recordingBytes: Int64, textBytes: Int64, _: Void = ()) {
        self.entries = entries
        self.recordings = recordings
        self.recordingBytes = recordingBytes
        self.textBytes = textBytes
    }
}

extension ExportFile {
    package init(url: String, expiresAt: Date, filename: String, sizeBytes: Int64, _: Void = ()) {
        self.url = url
        self.expiresAt = expiresAt
        self.filename = filename
        self.sizeBytes = sizeBytes
    }
}

extension ExportMailRequest {
    package init(export: ExportID, mail: MailID, job: NewJob, claim: KeyClaim?, _: Void = ()) {
        self.export = export
        self.mail = mail
        self.job = job
        self.claim = claim
    }
}

extension ExportMailOutcome {
    package init(export: Export, addressIsProved: Bool, isQueued: Bool, _: Void = ()) {
        self.export = export
        self.addressIsProved = addressIsProved
        self.isQueued = isQueued
    }
}

extension ExportPart {
    package init(number: Int, object: UUID?, sizeBytes: Int64, entryCount: Int, downloads: Int, _: Void = ()) {
        self.number = number
        self.object = object
        self.sizeBytes = sizeBytes
        self.entryCount = entryCount
        self.downloads = downloads
    }
}

extension ExportProgress {
    package init(entries: Int, entriesTotal: Int, bytes: Int64, bytesTotal: Int64, estimatedSeconds: Int?, _: Void = ()) {
        self.entries = entries
        self.entriesTotal = entriesTotal
        self.bytes = bytes
        self.bytesTotal = bytesTotal
        self.estimatedSeconds = estimatedSeconds
    }
}

extension ExportSelection {
    package init(
        from: CalendarDay, to: CalendarDay, tags: [String] = [], kind: EntryKind? = nil, entry: EntryID? = nil, changedAfter: Int64? = nil,
        _: Void = ()
    ) {
        self.from = from
        self.to = to
        self.tags = tags
        self.kind = kind
        self.entry = entry
        self.changedAfter = changedAfter
    }
}

extension ExportSnapshot {
    package init(changesUpto: Int64, knowsDeletions: Bool, _: Void = ()) {
        self.changesUpto = changesUpto
        self.knowsDeletions = knowsDeletions
    }
}

extension ExportedEntry {
    package init(
        transcript: Transcript, recording: PlayableRecording?, copy: PlayableCopy?, original: PlayableRecording?, run: EntryRun,
        uploadedAt: Date?, versions: Versions, waveform: Waveform?, revisions: [Revision], damaged: [Part] = [], _: Void = ()
    ) {
        self.transcript = transcript
        self.recording = recording
        self.copy = copy
        self.original = original
        self.run = run
        self.uploadedAt = uploadedAt
        self.versions = versions
        self.waveform = waveform
        self.revisions = revisions
        self.damaged = damaged
    }
}

extension ExportedEntry.Versions {
    package init(personal: Int64?, machine: Int64?, segments: Int64?, corrections: Int64?, _: Void = ()) {
        self.personal = personal
        self.machine = machine
        self.segments = segments
        self.corrections = corrections
    }
}

extension KeptZip {
    package init(until: Date, releasedSeconds: Int, _: Void = ()) {
        self.until = until
        self.releasedSeconds = releasedSeconds
    }
}

extension NewExport {
    package init(
        id: ExportID, selection: RequestedSelection, tags: SealedTags?, contents: ExportContents, maxDownloads: Int, job: NewJob,
        requestHash: [UInt8], idempotencyHash: [UInt8]?, requestID: String?, mail: Bool?, mayCreate: Bool = true, _: Void = ()
    ) {
        self.id = id
        self.selection = selection
        self.tags = tags
        self.contents = contents
        self.maxDownloads = maxDownloads
        self.job = job
        self.requestHash = requestHash
        self.idempotencyHash = idempotencyHash
        self.requestID = requestID
        self.mail = mail
        self.mayCreate = mayCreate
    }
}

extension RequestExport.Form {
    package init(
        selection: RequestedSelection, contents: ExportContents, email: MailAddress?, mail: Bool?, idempotencyKey: String?, _: Void = ()
    ) {
        self.selection = selection
        self.contents = contents
        self.email = email
        self.mail = mail
        self.idempotencyKey = idempotencyKey
    }
}

extension StoredExportEntry {
    package init(
        entry: StoredEntry, uploadedAt: Date? = nil, segments: SealedColumn? = nil, corrections: StoredCorrections? = nil,
        waveform: SealedColumn? = nil, revisions: [TextLayer: [StoredRevision]] = [:], _: Void = ()
    ) {
        self.entry = entry
        self.uploadedAt = uploadedAt
        self.segments = segments
        self.corrections = corrections
        self.waveform = waveform
        self.revisions = revisions
    }
}

extension FeaturePorts {
    package init(
        accounts: any SignInStore, credentials: any CredentialStore, profiles: any ProfileStore, sessions: any SessionStore,
        identities: any IdentityStore, linkedIdentities: any LinkedIdentityStore, entries: any EntryStore, trash: any TrashStore,
        audioRemovals: any AudioRemovalStore, exports: any ExportStore, imports: any ImportStore, exportSchedules: any ExportScheduleStore,
        erasures: any ErasureStore, objects: any ObjectStore, parts: any UploadParts, partReceiver: (any PartReceiver)?,
        partUploads: any PartUploadStore, tenants: any TenantStore, idempotencyKeys: any IdempotencyKeyStore, engines: any EngineDirectory,
        signInKeys: DataKeys, memberKeys: DataKeys, serviceKeys: ServiceKeys, hasher: any PasswordHasher,
        passwordCheck: @escaping PasswordCheck, guesses: GuessLimit, tokens: any AccessTokens, providerTokens: any ProviderTokens,
        appleNotifications: any AppleNotificationReading, keepsAppleGrants: Bool, uploadSigner: any UploadSigner,
        uploadVerifier: any UploadVerifying, partSigner: any PartSigner, links: any LinkSigning, publicURL: String,
        mailFeedback: MailFeedbackPorts, jobSignals: any JobSignals, limits: Limits, clock: WallClock, _: Void = ()
    ) {
        self.accounts = accounts
        self.credentials = credentials
        self.profiles = profiles
        self.sessions = sessions
        self.identities = identities
        self.linkedIdentities = linkedIdentities
        self.entries = entries
        self.trash = trash
        self.audioRemovals = audioRemovals
        self.exports = exports
        self.imports = imports
        self.exportSchedules = exportSchedules
        self.erasures = erasures
        self.objects = objects
        self.parts = parts
        self.partReceiver = partReceiver
        self.partUploads = partUploads
        self.tenants = tenants
        self.idempotencyKeys = idempotencyKeys
        self.engines = engines
        self.signInKeys = signInKeys
        self.memberKeys = memberKeys
        self.serviceKeys = serviceKeys
        self.hasher = hasher
        self.passwordCheck = passwordCheck
        self.guesses = guesses
        self.tokens = tokens
        self.providerTokens = providerTokens
        self.appleNotifications = appleNotifications
        self.keepsAppleGrants = keepsAppleGrants
        self.uploadSigner = uploadSigner
        self.uploadVerifier = uploadVerifier
        self.partSigner = partSigner
        self.links = links
        self.publicURL = publicURL
        self.mailFeedback = mailFeedback
        self.jobSignals = jobSignals
        self.limits = limits
        self.clock = clock
    }
}

extension KnownKey {
    package init(requestHash: [UInt8], subject: UUID, results: [String]? = nil, _: Void = ()) {
        self.requestHash = requestHash
        self.subject = subject
        self.results = results
    }
}

extension KeyClaim {
    package init(operation: Operation, keyHash: [UInt8], requestHash: [UInt8], subject: UUID, _: Void = ()) {
        self.operation = operation
        self.keyHash = keyHash
        self.requestHash = requestHash
        self.subject = subject
    }
}

extension Member {
    package init(tenant: TenantID, user: UserID, session: SessionID, _: Void = ()) {
        self.tenant = tenant
        self.user = user
        self.session = session
    }
}

extension Owner {
    package init(tenant: TenantID, user: UserID, _: Void = ()) {
        self.tenant = tenant
        self.user = user
    }
}

extension RequestOrigin {
    package init(requestID: String, place: String? = nil, client: [UInt8] = [], _: Void = ()) {
        self.requestID = requestID
        self.place = place
        self.client = client
    }
}

extension AccountAddress {
    package init(sealed: [UInt8]?, isProvedOtherwise: Bool, _: Void = ()) {
        self.sealed = sealed
        self.isProvedOtherwise = isProvedOtherwise
    }
}

extension AddressHolder {
    package init(owner: Owner, isVerified: Bool, isClosed: Bool = false, _: Void = ()) {
        self.owner = owner
        self.isVerified = isVerified
        self.isClosed = isClosed
    }
}

extension AppleGrant {
    package init(
        owner: Owner, identity: IdentityID, clientID: String, subjectHash: [UInt8], codeSealed: [UInt8]?, codeAt: Date?,
        tokenSealed: [UInt8]?, revokeRequestedAt: Date?, attempts: Int, _: Void = ()
    ) {
        self.owner = owner
        self.identity = identity
        self.clientID = clientID
        self.subjectHash = subjectHash
        self.codeSealed = codeSealed
        self.codeAt = codeAt
        self.tokenSealed = tokenSealed
        self.revokeRequestedAt = revokeRequestedAt
        self.attempts = attempts
    }
}

extension IdentityLink {
    package init(
        subject: ProviderSubject, identity: NewIdentity, accountAddressSealed: [UInt8]?, readAgainst: [UInt8]?, challengeHash: [UInt8],
        grant: NewAppleGrant?, origin: RequestOrigin, claim: KeyClaim?, _: Void = ()
    ) {
        self.subject = subject
        self.identity = identity
        self.accountAddressSealed = accountAddressSealed
        self.readAgainst = readAgainst
        self.challengeHash = challengeHash
        self.grant = grant
        self.origin = origin
        self.claim = claim
    }
}

extension IdentityLookup {
    package init(known: KnownIdentity?, holder: AddressHolder?, challengeLives: Bool, _: Void = ()) {
        self.known = known
        self.holder = holder
        self.challengeLives = challengeLives
    }
}

extension IdentityUpdate {
    package init(addressSealed: [UInt8]?, provesAddress: Bool, accountAddressSealed: [UInt8]?, readAgainst: [UInt8]?, _: Void = ()) {
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
        self.accountAddressSealed = accountAddressSealed
        self.readAgainst = readAgainst
    }
}

extension IdentityView {
    package init(linked: LinkedIdentity, address: String?, _: Void = ()) {
        self.linked = linked
        self.address = address
    }
}

extension IssueChallenge.Challenge {
    package init(nonce: String, expiresAt: Date, _: Void = ()) {
        self.nonce = nonce
        self.expiresAt = expiresAt
    }
}

extension KnownIdentity {
    package init(
        id: IdentityID, owner: Owner, isClosed: Bool = false, addressSealed: [UInt8]?, provesAddress: Bool, account: AccountAddress,
        _: Void = ()
    ) {
        self.id = id
        self.owner = owner
        self.isClosed = isClosed
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
        self.account = account
    }
}

extension LinkIdentity.Linked {
    package init(identity: IdentityView, isNew: Bool, _: Void = ()) {
        self.identity = identity
        self.isNew = isNew
    }
}

extension LinkedIdentity {
    package init(
        id: IdentityID, provider: IdentityProvider?, isVerified: Bool, hasPassword: Bool, provesAddress: Bool, isMailStopped: Bool,
        linkedAt: Date, addressSealed: [UInt8]?, _: Void = ()
    ) {
        self.id = id
        self.provider = provider
        self.isVerified = isVerified
        self.hasPassword = hasPassword
        self.provesAddress = provesAddress
        self.isMailStopped = isMailStopped
        self.linkedAt = linkedAt
        self.addressSealed = addressSealed
    }
}

extension NewAppleGrant {
    package init(clientID: String, codeSealed: [UInt8], _: Void = ()) {
        self.clientID = clientID
        self.codeSealed = codeSealed
    }
}

extension NewIdentity {
    package init(id: IdentityID, subjectSealed: [UInt8], addressSealed: [UInt8]?, provesAddress: Bool, _: Void = ()) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.addressSealed = addressSealed
        self.provesAddress = provesAddress
    }
}

extension NewProviderAccount {
    package init(keyID: UUID, emailSealed: [UInt8]?, nameSealed: [UInt8]?, timeZone: String, locale: String?, _: Void = ()) {
        self.keyID = keyID
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
    }
}

extension ProviderAnswer {
    package init(provider: IdentityProvider, idToken: String, nonce: String, authorizationCode: String?, _: Void = ()) {
        self.provider = provider
        self.idToken = idToken
        self.nonce = nonce
        self.authorizationCode = authorizationCode
    }
}

extension ProviderSignIn {
    package init(
        owner: Owner, subject: ProviderSubject, identity: IdentityID, challengeHash: [UInt8], session: NewSession, grant: NewAppleGrant?,
        origin: RequestOrigin, _: Void = ()
    ) {
        self.owner = owner
        self.subject = subject
        self.identity = identity
        self.challengeHash = challengeHash
        self.session = session
        self.grant = grant
        self.origin = origin
    }
}

extension ProviderSubject {
    package init(tenant: TenantID, provider: IdentityProvider, hash: [UInt8], _: Void = ()) {
        self.tenant = tenant
        self.provider = provider
        self.hash = hash
    }
}

extension SignInWithProvider.Form {
    package init(answer: ProviderAnswer, device: String?, name: String?, timeZone: String?, locale: String?, _: Void = ()) {
        self.answer = answer
        self.device = device
        self.name = name
        self.timeZone = timeZone
        self.locale = locale
    }
}

extension ComparedEntry {
    package init(recordedAt: Date, favorite: Bool, lacksRecording: Bool, personal: SealedColumn?, machine: SealedColumn?, _: Void = ()) {
        self.recordedAt = recordedAt
        self.favorite = favorite
        self.lacksRecording = lacksRecording
        self.personal = personal
        self.machine = machine
    }
}

extension CreateImport.Form {
    package init(sizeBytes: Int64, sha256: [UInt8]?, wantsParts: Bool, idempotencyKey: String?, _: Void = ()) {
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.wantsParts = wantsParts
        self.idempotencyKey = idempotencyKey
    }
}

extension Import {
    package init(
        id: ImportID, status: ImportStatus, code: ProcessingCode?, source: ImportSource?, sizeBytes: Int64, sha256: [UInt8]?, object: UUID?,
        createdAt: Date, uploadExpiresAt: Date, finishedAt: Date?, total: Int64?, done: Int64, counts: ImportCounts, _: Void = ()
    ) {
        self.id = id
        self.status = status
        self.code = code
        self.source = source
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.object = object
        self.createdAt = createdAt
        self.uploadExpiresAt = uploadExpiresAt
        self.finishedAt = finishedAt
        self.total = total
        self.done = done
        self.counts = counts
    }
}

extension ImportCounts {
    package init(created: Int64 = 0, unchanged: Int64 = 0, skipped: Int64 = 0, failed: Int64 = 0, _: Void = ()) {
        self.created = created
        self.unchanged = unchanged
        self.skipped = skipped
        self.failed = failed
    }
}

extension ImportItem {
    package init(number: Int64, outcome: Outcome, code: Code, entry: EntryID? = nil, count: Int = 1, name: String? = nil, _: Void = ()) {
        self.number = number
        self.outcome = outcome
        self.code = code
        self.entry = entry
        self.count = count
        self.name = name
    }
}

extension StoredImportItem {
    package init(item: ImportItem, name: [UInt8]?, _: Void = ()) {
        self.item = item
        self.name = name
    }
}

extension ImportedEntry {
    package init(
        id: EntryID, kind: EntryKind, recordedAt: Date, timeZone: String? = nil, createdAt: Date? = nil, durationSeconds: Double? = nil,
        sizeBytes: Int64? = nil, contentType: String? = nil, sha256: [UInt8]? = nil, language: String? = nil, favorite: Bool = false,
        keepAudio: Bool = false, object: UUID? = nil, audioRemovedAt: Date? = nil, personal: SealedColumn, machine: SealedColumn? = nil,
        segments: SealedColumn? = nil, corrections: StoredCorrections? = nil,
        revisions: [(revision: SealedRevision, replacedAt: Date)] = [], labelHashes: [Int64] = [], job: NewJob? = nil, _: Void = ()
    ) {
        self.id = id
        self.kind = kind
        self.recordedAt = recordedAt
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.favorite = favorite
        self.keepAudio = keepAudio
        self.object = object
        self.audioRemovedAt = audioRemovedAt
        self.personal = personal
        self.machine = machine
        self.segments = segments
        self.corrections = corrections
        self.revisions = revisions
        self.labelHashes = labelHashes
        self.job = job
    }
}

extension ImportStep {
    package init(
        from: Int64, done: Int64, entries: [ImportedEntry] = [], counts: ImportCounts = ImportCounts(), items: [StoredImportItem] = [],
        keyID: UUID, storageLimit: Int64?, _: Void = ()
    ) {
        self.from = from
        self.done = done
        self.entries = entries
        self.counts = counts
        self.items = items
        self.keyID = keyID
        self.storageLimit = storageLimit
    }
}

extension KnownEntries {
    package init(
        ids: [EntryID: State] = [:], recordings: [[UInt8]: EntryID] = [:], storedBytes: Int64 = 0, isDisabled: Bool = false, _: Void = ()
    ) {
        self.ids = ids
        self.recordings = recordings
        self.storedBytes = storedBytes
        self.isDisabled = isDisabled
    }
}

extension NewImport {
    package init(
        id: ImportID, sizeBytes: Int64, sha256: [UInt8]?, object: UUID, keyID: UUID, windowSeconds: Int, requestHash: [UInt8],
        idempotencyHash: [UInt8]?, mayCreate: Bool = true, _: Void = ()
    ) {
        self.id = id
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.object = object
        self.keyID = keyID
        self.windowSeconds = windowSeconds
        self.requestHash = requestHash
        self.idempotencyHash = idempotencyHash
        self.mayCreate = mayCreate
    }
}

extension DeletedImport {
    package init(object: UUID?, hasParts: Bool, _: Void = ()) {
        self.object = object
        self.hasParts = hasParts
    }
}

extension ReadImports.Report {
    package init(items: [ImportItem], next: ReportCursor?, _: Void = ()) {
        self.items = items
        self.next = next
    }
}

extension ReportCursor {
    package init(number: Int64, _: Void = ()) {
        self.number = number
    }
}

extension EntryStage {
    package init(waiting: EntryStatus, running: EntryStatus, retriedFrom: JobKind, _: Void = ()) {
        self.waiting = waiting
        self.running = running
        self.retriedFrom = retriedFrom
    }
}

extension JobDescriptor {
    package init(
        kind: JobKind, queue: QueueName, subject: JobSubject, successor: JobKind?,
        retries: @escaping @Sendable (Limits) -> RetryPolicy = { RetryPolicy($0) }, _: Void = ()
    ) {
        self.kind = kind
        self.queue = queue
        self.subject = subject
        self.successor = successor
        self.retries = retries
    }
}

extension LeasedJob {
    package init(
        id: JobID, owner: Owner, kind: JobKind, subject: UUID, attempt: Int, errors: Int, crashes: Int, cost: Double = JobCost.small,
        _: Void = ()
    ) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.subject = subject
        self.attempt = attempt
        self.errors = errors
        self.crashes = crashes
        self.cost = cost
    }
}

extension RetryPolicy {
    package init(maxTries: Int, baseSeconds: Double, capSeconds: Double, jitter: Jitter = .full, _: Void = ()) {
        self.maxTries = maxTries
        self.baseSeconds = baseSeconds
        self.capSeconds = capSeconds
        self.jitter = jitter
    }
}

extension WorkerIdentity {
    package init(id: UUID = UUID(), name: String, version: String, _: Void = ()) {
        self.id = id
        self.name = name
        self.version = version
    }
}

extension Limits {
    package init(
        accessTokenSeconds: Int = 900, refreshIdleSeconds: Int = 30 * 86_400, refreshAbsoluteSeconds: Int = 90 * 86_400,
        refreshGraceSeconds: Int = 60, challengeSeconds: Int = 600, refreshGraceUses: Int = 3, refreshBurstSeconds: Int = 10,
        freshProofSeconds: Int = 600, codeSeconds: Int = 1_800, codeTries: Int = 5, codesPerHour: Int = 5, addressCodesPerHour: Int = 20,
        accountCodesPerHour: Int = 60, uploadURLSeconds: Int = 900, playbackURLSeconds: Int = 900, playbackURLMaxSeconds: Int = 12 * 3_600,
        maxAudioBytes: Int64 = 500 * 1_048_576, maxAudioSeconds: Double = 4 * 3_600, maxImportBytes: Int64 = 5_000_000_000,
        maxImportEntries: Int = 100_000, exportLinkSeconds: Int = 86_400, exportDownloads: Int = 5, exportPartBytes: Int64 = 1 << 30,
        uploadWindowSeconds: Int = 7 * 86_400, lostUploadSeconds: Double = 86_400, idempotencySeconds: Int = 48 * 3_600,
        leaseSeconds: Double = 60, heartbeatSeconds: Double = 15, sweepSeconds: Double = 10, orphanSeconds: Double = 86_400,
        pollSeconds: Double = 2, maxTries: Int = 8, retryBaseSeconds: Double = 5, retryCapSeconds: Double = 900, maxCrashes: Int = 3,
        gracefulStopSeconds: Double = 30, _: Void = ()
    ) {
        self.accessTokenSeconds = accessTokenSeconds
        self.refreshIdleSeconds = refreshIdleSeconds
        self.refreshAbsoluteSeconds = refreshAbsoluteSeconds
        self.refreshGraceSeconds = refreshGraceSeconds
        self.challengeSeconds = challengeSeconds
        self.refreshGraceUses = refreshGraceUses
        self.refreshBurstSeconds = refreshBurstSeconds
        self.freshProofSeconds = freshProofSeconds
        self.codeSeconds = codeSeconds
        self.codeTries = codeTries
        self.codesPerHour = codesPerHour
        self.addressCodesPerHour = addressCodesPerHour
        self.accountCodesPerHour = accountCodesPerHour
        self.uploadURLSeconds = uploadURLSeconds
        self.playbackURLSeconds = playbackURLSeconds
        self.playbackURLMaxSeconds = playbackURLMaxSeconds
        self.maxAudioBytes = maxAudioBytes
        self.maxAudioSeconds = maxAudioSeconds
        self.maxImportBytes = maxImportBytes
        self.maxImportEntries = maxImportEntries
        self.exportLinkSeconds = exportLinkSeconds
        self.exportDownloads = exportDownloads
        self.exportPartBytes = exportPartBytes
        self.uploadWindowSeconds = uploadWindowSeconds
        self.lostUploadSeconds = lostUploadSeconds
        self.idempotencySeconds = idempotencySeconds
        self.leaseSeconds = leaseSeconds
        self.heartbeatSeconds = heartbeatSeconds
        self.sweepSeconds = sweepSeconds
        self.orphanSeconds = orphanSeconds
        self.pollSeconds = pollSeconds
        self.maxTries = maxTries
        self.retryBaseSeconds = retryBaseSeconds
        self.retryCapSeconds = retryCapSeconds
        self.maxCrashes = maxCrashes
        self.gracefulStopSeconds = gracefulStopSeconds
    }
}

extension ListPosition {
    package init(at: Date, id: UUID, _: Void = ()) {
        self.at = at
        self.id = id
    }
}

extension AppMailService {
    package init(provider: MailProvider, secret: String?, region: String?, configurationSet: String?, _: Void = ()) {
        self.provider = provider
        self.secret = secret
        self.region = region
        self.configurationSet = configurationSet
    }
}

extension MailEvent {
    package init(id: String, mail: MailID, reason: MailBounceReason, at: Date, _: Void = ()) {
        self.id = id
        self.mail = mail
        self.reason = reason
        self.at = at
    }
}

extension HashedMailEvents {
    package init(events: [(hash: [UInt8], event: MailEvent)], provider: MailProvider, app: TenantID?, requestID: String?, _: Void = ()) {
        self.events = events
        self.provider = provider
        self.app = app
        self.requestID = requestID
    }
}

extension MailFeedbackPorts {
    package init(reader: any MailFeedbackReading, store: any MailEventStore, trust: MailFeedbackTrust, _: Void = ()) {
        self.reader = reader
        self.store = store
        self.trust = trust
    }
}

extension SendGridDelivery {
    package init(body: [UInt8], signature: String, timestamp: String, _: Void = ()) {
        self.body = body
        self.signature = signature
        self.timestamp = timestamp
    }
}

extension MailFeedbackTrust {
    package init(sendGridKey: String? = nil, topics: Set<String> = [], _: Void = ()) {
        self.sendGridKey = sendGridKey
        self.topics = topics
    }
}

extension MailContent {
    package init(
        kind: MailKind, payload: MailPayload, mail: MailID, tenant: Tenant, export: ReadyExport? = nil, locales: [String] = ["en"],
        words: MailWords? = nil, _: Void = ()
    ) {
        self.kind = kind
        self.payload = payload
        self.mail = mail
        self.tenant = tenant
        self.export = export
        self.locales = locales
        self.words = words
    }
}

extension MailPayload {
    package init(to: String, code: String?, _: Void = ()) {
        self.to = to
        self.code = code
    }
}

extension MailSuppression {
    package init(id: String, reason: MailBounceReason?, provider: String, happenedAt: Date, notedAt: Date, _: Void = ()) {
        self.id = id
        self.reason = reason
        self.provider = provider
        self.happenedAt = happenedAt
        self.notedAt = notedAt
    }
}

extension OutgoingMessage {
    package init(
        id: MailID, fromName: String, fromAddress: String, to: String, subject: String, text: String, html: String?,
        unsubscribe: String? = nil, _: Void = ()
    ) {
        self.id = id
        self.fromName = fromName
        self.fromAddress = fromAddress
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.unsubscribe = unsubscribe
    }
}

extension PluralText {
    package init(one: String, other: String, _: Void = ()) {
        self.one = one
        self.other = other
    }
}

extension PreparedMail {
    package init(bounce: MailBounceReason? = nil, words: MailWords? = nil, _: Void = ()) {
        self.bounce = bounce
        self.words = words
    }
}

extension MailWords {
    package init(locale: String, text: String?, html: String?, _: Void = ()) {
        self.locale = locale
        self.text = text
        self.html = html
    }
}

extension QueuedMail {
    package init(
        id: MailID, kind: MailKind, payload: [UInt8], keyID: UUID, subject: UUID?, addressSealed: [UInt8]? = nil, locale: String? = nil,
        accountSealed: [UInt8]? = nil, createdAt: Date? = nil, _: Void = ()
    ) {
        self.id = id
        self.kind = kind
        self.payload = payload
        self.keyID = keyID
        self.subject = subject
        self.addressSealed = addressSealed
        self.locale = locale
        self.accountSealed = accountSealed
        self.createdAt = createdAt
    }
}

extension ReadyExport {
    package init(
        link: String, from: CalendarDay, to: CalendarDay, expiresAt: Date, timeZone: String, locale: String? = nil,
        unsubscribe: String? = nil, entries: Int? = nil, _: Void = ()
    ) {
        self.link = link
        self.from = from
        self.to = to
        self.expiresAt = expiresAt
        self.timeZone = timeZone
        self.locale = locale
        self.unsubscribe = unsubscribe
        self.entries = entries
    }
}

extension StoredMailWords {
    package init(kind: String, words: MailWords, setAt: Date, _: Void = ()) {
        self.kind = kind
        self.words = words
        self.setAt = setAt
    }
}

extension ObjectFacts {
    package init(size: Int64, _: Void = ()) {
        self.size = size
    }
}

extension ObjectPage {
    package init(objects: [Object], next: ObjectKey?, _: Void = ()) {
        self.objects = objects
        self.next = next
    }
}

extension ObjectPage.Object {
    package init(key: ObjectKey, storedAt: Date, _: Void = ()) {
        self.key = key
        self.storedAt = storedAt
    }
}

extension PlayRecording.Recording {
    package init(
        size: Int64, contentType: String, filename: String, isRefused: Bool,
        read: @escaping @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream, _: Void = ()
    ) {
        self.size = size
        self.contentType = contentType
        self.filename = filename
        self.isRefused = isRefused
        self.read = read
    }
}

extension PlaybackLink {
    package init(url: String, expiresAt: Date, contentType: String, sizeBytes: Int64, _: Void = ()) {
        self.url = url
        self.expiresAt = expiresAt
        self.contentType = contentType
        self.sizeBytes = sizeBytes
    }
}

extension ReadWaveform.Drawn {
    package init(waveform: Waveform, durationSeconds: Double, _: Void = ()) {
        self.waveform = waveform
        self.durationSeconds = durationSeconds
    }
}

extension RateVerdict {
    package init(policy: RatePolicy, allowed: Bool, remaining: Int, resetSeconds: Int, retryAfterSeconds: Int, _: Void = ()) {
        self.policy = policy
        self.allowed = allowed
        self.remaining = remaining
        self.resetSeconds = resetSeconds
        self.retryAfterSeconds = retryAfterSeconds
    }
}

extension NewRendition {
    package init(copy: PlayableCopy?, isCopyHeard: Bool = false, waveform: SealedResult, _: Void = ()) {
        self.copy = copy
        self.isCopyHeard = isCopyHeard
        self.waveform = waveform
    }
}

extension PlayableCopy {
    package init(object: UUID, sizeBytes: Int64, sha256: [UInt8], isOriginalKept: Bool, _: Void = ()) {
        self.object = object
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.isOriginalKept = isOriginalKept
    }
}

extension PlayableRecording {
    package init(object: UUID, filename: String, sizeBytes: Int64?, sha256: [UInt8]?, _: Void = ()) {
        self.object = object
        self.filename = filename
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
    }
}

extension RecordingObjects {
    package init(original: UUID?, copy: UUID? = nil, _: Void = ()) {
        self.original = original
        self.copy = copy
    }
}

extension DueSchedule {
    package init(owner: Owner, id: ExportScheduleID, slug: String, timing: ScheduleTiming, dueAt: Date, now: Date, _: Void = ()) {
        self.owner = owner
        self.id = id
        self.slug = slug
        self.timing = timing
        self.dueAt = dueAt
        self.now = now
    }
}

extension ExportSchedule {
    package init(
        id: ExportScheduleID, terms: ScheduleTerms, sealedTags: [UInt8]?, version: Int64, createdAt: Date, updatedAt: Date, nextAt: Date?,
        lastAt: Date?, _: Void = ()
    ) {
        self.id = id
        self.terms = terms
        self.sealedTags = sealedTags
        self.version = version
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.nextAt = nextAt
        self.lastAt = lastAt
    }
}

extension ScheduleTerms {
    package init(
        timing: ScheduleTiming, covers: ScheduleCoverage, contents: ExportContents, kind: EntryKind?, tags: [String], keepLast: Int?,
        mail: Bool, _: Void = ()
    ) {
        self.timing = timing
        self.covers = covers
        self.contents = contents
        self.kind = kind
        self.tags = tags
        self.keepLast = keepLast
        self.mail = mail
    }
}

extension SchedulePlace {
    package init(timeZone: String, addressIsProved: Bool, schedules: Int, now: Date, _: Void = ()) {
        self.timeZone = timeZone
        self.addressIsProved = addressIsProved
        self.schedules = schedules
        self.now = now
    }
}

extension ScheduleWrite {
    package init(id: ExportScheduleID, terms: ScheduleTerms, tags: SealedTags?, nextAt: Date?, _: Void = ()) {
        self.id = id
        self.terms = terms
        self.tags = tags
        self.nextAt = nextAt
    }
}

extension ScheduleTiming {
    package init(every: Every, weekday: Weekday?, day: Int?, month: Int?, minute: Int, timeZone: String, _: Void = ()) {
        self.every = every
        self.weekday = weekday
        self.day = day
        self.month = month
        self.minute = minute
        self.timeZone = timeZone
    }
}

extension RewrapAppSecrets.Report {
    package init(secrets: Int = 0, changed: Int = 0, unreadable: Int = 0, _: Void = ()) {
        self.secrets = secrets
        self.changed = changed
        self.unreadable = unreadable
    }
}

extension RewrapKeys.Report {
    package init(dataKeys: Int = 0, signingKeys: Int = 0, changed: Int = 0, unreadable: Int = 0, _: Void = ()) {
        self.dataKeys = dataKeys
        self.signingKeys = signingKeys
        self.changed = changed
        self.unreadable = unreadable
    }
}

extension SealedResult {
    package init(sealed: [UInt8], version: Int64, keyID: UUID, _: Void = ()) {
        self.sealed = sealed
        self.version = version
        self.keyID = keyID
    }
}

extension StoredSigningKey {
    package init(kid: String, sealed: Sealed?, publishedAt: Date, signsFrom: Date, _: Void = ()) {
        self.kid = kid
        self.sealed = sealed
        self.publishedAt = publishedAt
        self.signsFrom = signsFrom
    }
}

extension StoredSigningKey.Sealed {
    package init(masterID: String, bytes: [UInt8], _: Void = ()) {
        self.masterID = masterID
        self.bytes = bytes
    }
}

extension Vault {
    package init(key: DataKey, owner: Owner, _: Void = ()) {
        self.key = key
        self.owner = owner
    }
}

extension AccessClaims {
    package init(tenant: TenantID, user: UserID, session: SessionID, expiresAt: Date, _: Void = ()) {
        self.tenant = tenant
        self.user = user
        self.session = session
        self.expiresAt = expiresAt
    }
}

extension AccountCode {
    package init(
        id: UUID, purpose: CodePurpose, hash: [UInt8], requestHash: [UInt8], lifetimeSeconds: Int, addressHash: [UInt8]?,
        newAddress: (hash: [UInt8], sealed: [UInt8])?, _: Void = ()
    ) {
        self.id = id
        self.purpose = purpose
        self.hash = hash
        self.requestHash = requestHash
        self.lifetimeSeconds = lifetimeSeconds
        self.addressHash = addressHash
        self.newAddress = newAddress
    }
}

extension EmailIdentity {
    package init(
        owner: Owner, keyID: UUID, passwordPHC: String?, verified: Bool, emailSealed: [UInt8], disabled: Bool = false, _: Void = ()
    ) {
        self.owner = owner
        self.keyID = keyID
        self.passwordPHC = passwordPHC
        self.verified = verified
        self.emailSealed = emailSealed
        self.disabled = disabled
    }
}

extension MemberCredentials {
    package init(passwordPHC: String?, emailSealed: [UInt8]?, nameSealed: [UInt8]?, addressIsProved: Bool, isFresh: Bool, _: Void = ()) {
        self.passwordPHC = passwordPHC
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.addressIsProved = addressIsProved
        self.isFresh = isFresh
    }
}

extension NewAccount {
    package init(owner: Owner, keyID: UUID, emailHash: [UInt8], emailSealed: [UInt8], signUp: SignUp, _: Void = ()) {
        self.owner = owner
        self.keyID = keyID
        self.emailHash = emailHash
        self.emailSealed = emailSealed
        self.signUp = signUp
    }
}

extension NewCode {
    package init(id: UUID, hash: [UInt8], registrationHash: [UInt8], lifetimeSeconds: Int, requesterHash: [UInt8], _: Void = ()) {
        self.id = id
        self.hash = hash
        self.registrationHash = registrationHash
        self.lifetimeSeconds = lifetimeSeconds
        self.requesterHash = requesterHash
    }
}

extension NewSession {
    package init(
        id: SessionID, deviceSealed: [UInt8]?, placeSealed: [UInt8]?, refreshHash: [UInt8], idleSeconds: Int, absoluteSeconds: Int,
        requestID: String?, _: Void = ()
    ) {
        self.id = id
        self.deviceSealed = deviceSealed
        self.placeSealed = placeSealed
        self.refreshHash = refreshHash
        self.idleSeconds = idleSeconds
        self.absoluteSeconds = absoluteSeconds
        self.requestID = requestID
    }
}

extension PresentedCode {
    package init(purpose: CodePurpose, hash: [UInt8], requestHash: [UInt8], maxTries: Int, _: Void = ()) {
        self.purpose = purpose
        self.hash = hash
        self.requestHash = requestHash
        self.maxTries = maxTries
    }
}

extension RefreshToken {
    package init(owner: Owner, session: SessionID, number: Int32, secret: [UInt8], _: Void = ()) {
        self.owner = owner
        self.session = session
        self.number = number
        self.secret = secret
    }
}

extension RegisterByEmail.Form {
    package init(email: MailAddress, password: String, name: String?, timeZone: String?, locale: String?, _: Void = ()) {
        self.email = email
        self.password = password
        self.name = name
        self.timeZone = timeZone
        self.locale = locale
    }
}

extension Rotation {
    package init(
        number: Int, hash: [UInt8], nextHash: [UInt8], graceSeconds: Int, burstSeconds: Int, graceUses: Int, idleSeconds: Int,
        requestID: String?, _: Void = ()
    ) {
        self.number = number
        self.hash = hash
        self.nextHash = nextHash
        self.graceSeconds = graceSeconds
        self.burstSeconds = burstSeconds
        self.graceUses = graceUses
        self.idleSeconds = idleSeconds
        self.requestID = requestID
    }
}

extension SessionLife {
    package init(refreshSeconds: Int, sessionSeconds: Int, _: Void = ()) {
        self.refreshSeconds = refreshSeconds
        self.sessionSeconds = sessionSeconds
    }
}

extension SessionTokens {
    package init(
        accessToken: String, expiresIn: Int, refreshToken: String, life: SessionLife, session: SessionID, user: UserID, app: String,
        isNew: Bool = false, profile: Profile?, deviceToken: String?, _: Void = ()
    ) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.life = life
        self.session = session
        self.user = user
        self.app = app
        self.isNew = isNew
        self.profile = profile
        self.deviceToken = deviceToken
    }
}

extension SignInDevice {
    package init(name: String? = nil, token: String? = nil, _: Void = ()) {
        self.name = name
        self.token = token
    }
}

extension SignUp {
    package init(passwordPHC: String, nameSealed: [UInt8]?, timeZone: String = "UTC", locale: String?, _: Void = ()) {
        self.passwordPHC = passwordPHC
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
    }
}

extension AgedSignUp {
    package init(owner: Owner, createdAt: Date, isAbandoned: Bool, _: Void = ()) {
        self.owner = owner
        self.createdAt = createdAt
        self.isAbandoned = isAbandoned
    }
}

extension AwaitingUpload {
    package init(owner: Owner, entry: EntryID, object: UUID, size: Int64, createdAt: Date, expiresAt: Date, _: Void = ()) {
        self.owner = owner
        self.entry = entry
        self.object = object
        self.size = size
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension AwaitingParts {
    package init(upload: AwaitingUpload, parts: PartUpload, _: Void = ()) {
        self.upload = upload
        self.parts = parts
    }
}

extension EndedObject {
    package init(owner: Owner, id: UUID, object: UUID, keys: [ObjectKey], _: Void = ()) {
        self.owner = owner
        self.id = id
        self.object = object
        self.keys = keys
    }
}

extension NotedSweep {
    package init(number: Int64, finding: Finding? = nil, _: Void = ()) {
        self.number = number
        self.finding = finding
    }
}

extension StrandedEntry {
    package init(owner: Owner, entry: EntryID, kind: JobKind, _: Void = ()) {
        self.owner = owner
        self.entry = entry
        self.kind = kind
    }
}

extension AppReference {
    package init(slug: String?, authority: String? = nil, _: Void = ()) {
        self.slug = slug
        self.authority = authority
    }
}

extension Tenant {
    package init(
        id: TenantID, slug: String, name: String, mailFromName: String, mailFromAddress: String, createdAt: Date, suspendedAt: Date?,
        configuration: TenantConfiguration = TenantConfiguration(), appleClientIDs: Set<String> = [], googleClientIDs: Set<String> = [],
        isDefault: Bool = false, _: Void = ()
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.mailFromName = mailFromName
        self.mailFromAddress = mailFromAddress
        self.createdAt = createdAt
        self.suspendedAt = suspendedAt
        self.configuration = configuration
        self.appleClientIDs = appleClientIDs
        self.googleClientIDs = googleClientIDs
        self.isDefault = isDefault
    }
}

extension TenantChange {
    package init(
        name: String? = nil, mailFromName: String? = nil, mailFromAddress: String? = nil,
        configured: TenantConfiguration = TenantConfiguration(), unset: [String] = [], suspended: Bool? = nil, _: Void = ()
    ) {
        self.name = name
        self.mailFromName = mailFromName
        self.mailFromAddress = mailFromAddress
        self.configured = configured
        self.unset = unset
        self.suspended = suspended
    }
}

extension TenantSetting {
    package init(name: String, form: Form, about: String, _: Void = ()) {
        self.name = name
        self.form = form
        self.about = about
    }
}

extension TenantSettingError {
    package init(description: String, _: Void = ()) {
        self.description = description
    }
}

extension WallClock {
    package init(now: @escaping @Sendable () -> Date, _: Void = ()) {
        self.now = now
    }
}

extension ExpectedSpeech {
    package init(
        languages: [String] = [], locale: String? = nil, vocabularySealed: [UInt8]? = nil, waveformSealed: [UInt8]? = nil,
        hearsCopy: Bool = false, _: Void = ()
    ) {
        self.languages = languages
        self.locale = locale
        self.vocabularySealed = vocabularySealed
        self.waveformSealed = waveformSealed
        self.hearsCopy = hearsCopy
    }
}

extension MediaFacts {
    package init(
        durationSeconds: Double, codec: String, channels: Int, sampleRate: Int, contentType: String? = nil, track: Int = 0,
        otherTracks: [Int] = [], sections: [Range<Int>] = [], ignoresLength: Bool = false, isMeasured: Bool = false, _: Void = ()
    ) {
        self.durationSeconds = durationSeconds
        self.codec = codec
        self.channels = channels
        self.sampleRate = sampleRate
        self.contentType = contentType
        self.track = track
        self.otherTracks = otherTracks
        self.sections = sections
        self.ignoresLength = ignoresLength
        self.isMeasured = isMeasured
    }
}

extension RawTranscript {
    package init(language: String, segments: [SpeechSegment], voice: [VoiceSpan]? = nil, _: Void = ()) {
        self.language = language
        self.segments = segments
        self.voice = voice
    }
}

extension RenderedRecording {
    package init(durationSeconds: Double, waveform: Waveform, copy: String?, isCopyHeard: Bool = false, _: Void = ()) {
        self.durationSeconds = durationSeconds
        self.waveform = waveform
        self.copy = copy
        self.isCopyHeard = isCopyHeard
    }
}

extension ReplacedTexts {
    package init(revisions: [SealedRevision] = [], corrections: Int64? = nil, _: Void = ()) {
        self.revisions = revisions
        self.corrections = corrections
    }
}

extension SpeechSegment {
    package init(
        start: Double, end: Double, words: [TimedWord], id: Int? = nil, confidence: Double? = nil, speaker: String? = nil,
        editedText: String? = nil, editedSpeaker: String? = nil, marks: [String]? = nil, _: Void = ()
    ) {
        self.start = start
        self.end = end
        self.words = words
        self.id = id
        self.confidence = confidence
        self.speaker = speaker
        self.editedText = editedText
        self.editedSpeaker = editedSpeaker
        self.marks = marks
    }
}

extension TimedWord {
    package init(text: String, start: Double, end: Double, confidence: Double, _: Void = ()) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}

extension Transcription {
    package init(state: State, engine: EngineReference?, coverage: VoiceCoverage?, _: Void = ()) {
        self.state = state
        self.engine = engine
        self.coverage = coverage
    }
}

extension HeardEntry {
    package init(entry: StoredEntry, segments: SealedColumn?, corrections: StoredCorrections?, _: Void = ()) {
        self.entry = entry
        self.segments = segments
        self.corrections = corrections
    }
}

extension FinishedStage {
    package init(isWritten: Bool, isGone: Bool = false, next: JobKind?, _: Void = ()) {
        self.isWritten = isWritten
        self.isGone = isGone
        self.next = next
    }
}

extension VerifiedRecording {
    package init(path: String, folder: String, contentType: String, durationSeconds: Double, _: Void = ()) {
        self.path = path
        self.folder = folder
        self.contentType = contentType
        self.durationSeconds = durationSeconds
    }
}

extension Transcript {
    package init(
        entry: Entry, segments: [SpeechSegment]?, corrections: SegmentCorrections = SegmentCorrections(), locale: String?, _: Void = ()
    ) {
        self.entry = entry
        self.segments = segments
        self.corrections = corrections
        self.locale = locale
    }
}

extension ReadTrash.Listing {
    package init(entries: [Entry], next: ListPosition?, _: Void = ()) {
        self.entries = entries
        self.next = next
    }
}

extension OpenParts.Offer {
    package init(plan: PartPlan, received: Int, targets: [(number: Int, size: Int64, target: UploadTarget)], next: Int?, _: Void = ()) {
        self.plan = plan
        self.received = received
        self.targets = targets
        self.next = next
    }
}

extension PartPlan {
    package init(partSize: Int64, count: Int, _: Void = ()) {
        self.partSize = partSize
        self.count = count
    }
}

extension PartKey {
    package init(key: ObjectKey, upload: String, number: Int, _: Void = ()) {
        self.key = key
        self.upload = upload
        self.number = number
    }
}

extension ArrivedPart {
    package init(number: Int, size: Int64, tag: String? = nil, _: Void = ()) {
        self.number = number
        self.size = size
        self.tag = tag
    }
}

extension PartUploadState {
    package init(
        isOpen: Bool, key: ObjectKey, contentType: String, size: Int64, id: String?, partSize: Int64?, others: Int = 0, _: Void = ()
    ) {
        self.isOpen = isOpen
        self.key = key
        self.contentType = contentType
        self.size = size
        self.id = id
        self.partSize = partSize
        self.others = others
    }
}

extension PartUploadOpening {
    package init(id: String, partSize: Int64, replacing: String?, most: Int, _: Void = ()) {
        self.id = id
        self.partSize = partSize
        self.replacing = replacing
        self.most = most
    }
}

extension UploadGrant {
    package init(key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, part: PartKey? = nil, _: Void = ()) {
        self.key = key
        self.contentType = contentType
        self.length = length
        self.sha256 = sha256
        self.part = part
    }
}

extension StoredPartUpload {
    package init(key: ObjectKey, id: String, storedAt: Date, _: Void = ()) {
        self.key = key
        self.id = id
        self.storedAt = storedAt
    }
}

extension StoredPartUploads {
    package init(uploads: [StoredPartUpload], next: StoredPartUpload?, _: Void = ()) {
        self.uploads = uploads
        self.next = next
    }
}

extension UploadTarget {
    package init(url: String, headers: [(name: String, value: String)], expiresAt: Date, parts: PartPlan? = nil, _: Void = ()) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
        self.parts = parts
    }
}

extension AccountUsage {
    package init(day: CalendarDay? = nil, today: UsageAmount = UsageAmount(), storedBytes: Int64 = 0, _: Void = ()) {
        self.day = day
        self.today = today
        self.storedBytes = storedBytes
    }
}

extension AppUsage {
    package init(key: Key, amount: UsageAmount, calls: Int64, storedBytes: Int64? = nil, _: Void = ()) {
        self.key = key
        self.amount = amount
        self.calls = calls
        self.storedBytes = storedBytes
    }
}

extension UsageAmount {
    package init(audioMilliseconds: Int64 = 0, inputTokens: Int64 = 0, outputTokens: Int64 = 0, cost: Int64 = 0, _: Void = ()) {
        self.audioMilliseconds = audioMilliseconds
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cost = cost
    }
}

extension UsageLimits {
    package init(
        minutesPerDay: Int64?, tokensPerDay: Int64?, costPerDay: Int64?, appCostPerDay: Int64?, storageBytes: Int64?, _: Void = ()
    ) {
        self.minutesPerDay = minutesPerDay
        self.tokensPerDay = tokensPerDay
        self.costPerDay = costPerDay
        self.appCostPerDay = appCostPerDay
        self.storageBytes = storageBytes
    }
}

extension UsageReservation {
    package init(id: UUID, amount: UsageAmount, seconds: Double, _: Void = ()) {
        self.id = id
        self.amount = amount
        self.seconds = seconds
    }
}
