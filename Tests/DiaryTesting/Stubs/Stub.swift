package import DiaryCrypto
package import FoundationEssentials

@testable package import DiaryCore

/// The values behind the stubs.
package enum Stub {
    package static let export = {
        var export = Export(
            id: ExportID(UUID()), selection: ExportSelection(from: .constant("2026-07-01"), to: .constant("2026-07-31")),
            timeZone: "Europe/<Berlin>", contents: ExportContents(includeAudio: true), status: .ready, code: nil, mailStatus: .sent,
            sizeBytes: 10, entryCount: 3, createdAt: now, readyAt: now, expiresAt: now + 86_400, downloads: 2, maxDownloads: 5,
            revokedAt: nil)
        export.parts = [ExportPart(number: 1, object: UUID(), sizeBytes: 10, entryCount: 3, downloads: 2)]
        return export
    }()
    /// Ready, of an account without a verified address.
    package static let unmailable = another(.ready)
    /// One in each status, with `export` and `unmailable`.
    package static let exports = [export, unmailable] + ExportStatus.allCases.filter { $0 != .ready }.map { another($0) }

    private static func another(_ status: ExportStatus) -> Export {
        var other = export
        other.id = ExportID(UUID())
        other.status = status
        return other
    }

    /// A verified one of 40 minutes.
    package static let recording = StoredEntry(
        facts: EntryFacts(
            id: EntryID(UUID()), kind: .voice, status: .transcribed, processing: nil, recordedAt: now, timeZone: "UTC",
            localTime: localTime, day: CalendarDay(localTime), createdAt: now, updatedAt: now,
            deletedAt: nil, durationSeconds: 2_400, sizeBytes: 10, contentType: "audio/mp4", sha256: nil, language: nil, object: UUID(),
            changeNumber: 1),
        personal: SealedColumn(bytes: [], version: 1), machine: nil)
    package static let played = StoredRecording(entry: recording, copy: nil)
    package static let owner = TestTokens.member.owner
    package static let now = Date(timeIntervalSince1970: 1_783_150_200)
    package static let localTime = LocalTime(year: 2026, month: 7, day: 4, hour: 9, minute: 30, second: 0)
    package static let clock = WallClock { now }
    package static let keyRing = try? MasterKeyRing(current: "m1", keys: ["m1": SecretBytes([UInt8](repeating: 9, count: 32))])

    /// Two for speech, one for text.
    package static let engines = FixedEngineDirectory(
        EngineOffer(
            speech: [.init(name: "cloud", kind: .openai), .init(name: "here", kind: .local)], text: [.init(name: "rules", kind: .local)]),
        localLanguages: SpeechLanguages(["en"]))

    package static func tenant(_ slug: String, suspended: Bool = false) -> Tenant {
        Tenant(
            id: TestTokens.member.tenant, slug: slug, name: "Diary", mailFromName: "Diary", mailFromAddress: "diary@diary.example",
            createdAt: now,
            suspendedAt: suspended ? now : nil)
    }
}

extension CalendarDay {
    fileprivate static func constant(_ text: String) -> CalendarDay {
        guard let day = CalendarDay(text) else { preconditionFailure("not a day: \(text)") }
        return day
    }
}
