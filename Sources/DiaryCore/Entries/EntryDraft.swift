import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// A client's request to create an entry.
package struct EntryDraft: Sendable {
    package var id: EntryID?
    package var idempotencyKey: String?
    /// nil: now.
    package var recordedAt: Date?
    package var facts: GivenFacts
    /// Also when the account has a recording with the same `sha256`.
    package var allowsDuplicate: Bool = false
    /// Wants to send the recording in parts, whatever its size.
    package var wantsParts: Bool = false
    package var personal: PersonalPart
    /// Words of a recording that the client has recognised itself.
    package var transcript: ClientTranscript? = nil
    /// nil: `always`.
    package var recognise: Recognition? = nil
    /// The recording stays on the device.
    package var isOnDevice: Bool = false

    package init(
        id: EntryID?, idempotencyKey: String?, recordedAt: Date?, facts: GivenFacts, allowsDuplicate: Bool = false,
        wantsParts: Bool = false, personal: PersonalPart, transcript: ClientTranscript? = nil, recognise: Recognition? = nil,
        isOnDevice: Bool = false
    ) {
        self.id = id
        self.idempotencyKey = idempotencyKey
        self.recordedAt = recordedAt
        self.facts = facts
        self.allowsDuplicate = allowsDuplicate
        self.wantsParts = wantsParts
        self.personal = personal
        self.transcript = transcript
        self.recognise = recognise
        self.isOnDevice = isOnDevice
    }

    /// A keyed hash of the request without its idempotency key: a retry must have the same. Defaults of the server (now, a new id) are not
    /// part of it. A new member is added at the end, by its name (`CanonicalBytes`).
    func requestHash(_ serviceKeys: ServiceKeys) -> [UInt8] {
        var canon = CanonicalBytes()
        canon.add(id?.description)
        canon.add(facts.kind.rawValue)
        canon.add(recordedAt.map { String(Int64(($0.timeIntervalSince1970 * 1000).rounded())) })
        canon.add(facts.timeZone)
        canon.add(facts.durationSeconds.map { String($0) })
        canon.add(facts.sizeBytes.map { String($0) })
        canon.add(facts.contentType)
        canon.add(facts.sha256.map { Hex.encode($0) })
        canon.add(facts.language)
        canon.add(personal.title)
        canon.add(personal.edited)
        canon.add(personal.mood)
        for tag in personal.tags { canon.add(tag) }
        canon.add("favorite", facts.favorite ? "true" : nil)
        canon.add("keep_audio", facts.keepAudio ? "true" : nil)
        canon.add("allow_duplicate", allowsDuplicate ? "true" : nil)
        canon.add("parts", wantsParts ? "true" : nil)
        // After title, text and mood.
        for text in PersonalText.all.dropFirst(3) { canon.add(text.name, personal[text]) }
        for pair in personal.metadata.pairs { canon.add("metadata.\(pair.key)", pair.value) }
        canon.add(transcript)
        canon.add("recognise", recognise?.rawValue)
        canon.add("audio", isOnDevice ? "device" : nil)
        return HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash)
    }
}
