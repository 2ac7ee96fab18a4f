import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

struct PlainComposer: MailComposer {
    func compose(_ content: MailContent) throws(MailFailure) -> OutgoingMessage {
        OutgoingMessage(
            id: content.mail, fromName: content.tenant.mailFromName, fromAddress: content.tenant.mailFromAddress, to: content.payload.to,
            subject: content.words?.text ?? content.kind.rawValue,
            text: content.export?.link ?? content.payload.code ?? "", html: nil)
    }
}

struct Transport: MailTransport {
    var failure: MailFailure?
    let sent = Shared<[OutgoingMessage]>([])

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
        if let failure { throw failure }
        sent.change { $0.append(message) }
    }
}

struct OneService: MailRouting {
    let service: any MailTransport
    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport {
        guard app.slug == "walks" else { throw .misconfigured("another app") }
        return service
    }
}

struct LinkedExports: ExportStore {
    var linked: Export?
    func create(_ export: NewExport, by member: Member) async throws(DiaryError) -> ExportCreateOutcome { .addressNotVerified }
    func estimate(
        _ selection: RequestedSelection, tags: SealedTags?, includeAudio: Bool, of member: Member
    ) async throws(DiaryError) -> Result<ExportEstimate.Counts, ExportSelectionFault> { .failure(.noEntries([0])) }
    func export(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export? { nil }
    func exports(
        before position: ListPosition?, limit: Int, schedule: ExportScheduleID?, status: ExportStatus?, of member: Member
    ) async throws(DiaryError) -> [Export] { [] }
    func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) -> Bool { false }
    func linkedExport(_ id: ExportID, of owner: Owner) async throws(DiaryError) -> Export? { linked }
    func takeOwnDownload(
        _ id: ExportID, part: Int?, by member: Member, requestID: String?
    ) async throws(DiaryError) -> (export: Export, taken: Bool)? { nil }
    func mail(_ request: ExportMailRequest, by member: Member) async throws(DiaryError) -> ExportMailOutcome? { nil }
    func takeDownload(_ id: ExportID, part: Int?, of owner: Owner, requestID: String?) async throws(DiaryError) -> Export? { nil }
}

@Suite("Sending a mail")
struct SendMailTests {
    static let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))

    let person: Person
    let store = ScriptedJobStore()
    /// How long a link lives at most; longer than any zip.
    var linkSeconds = 1 << 40
    /// Before now, when the mail was asked for.
    var age = 0.0

    init() async throws { person = try await Person() }

    private func address(_ text: String = "ada@example.org") throws -> [UInt8] {
        try person.vault.seal(Array(text.utf8), .email, row: person.owner.user.uuid)
    }

    /// - Parameters:
    ///   - addressSealed: instead of a payload.
    ///   - accountSealed: the account's present address.
    private func send(
        _ kind: MailKind, code: String? = nil, subject: UUID? = nil, export: Export? = nil, errors: Int = 0,
        addressSealed: [UInt8]? = nil, accountSealed: [UInt8]? = nil, _ transport: Transport
    ) async throws(JobStop) {
        do { try await sendAny(kind, code, subject, export, errors, addressSealed, accountSealed, transport) } catch {
            guard let stop = error as? JobStop else { throw JobStop.discard(.unexpected) }
            throw stop
        }
    }

    private func sendAny(
        _ kind: MailKind, _ code: String?, _ subject: UUID?, _ export: Export?, _ errors: Int, _ addressSealed: [UInt8]?,
        _ accountSealed: [UInt8]?, _ transport: Transport
    ) async throws {
        let id = MailID(UUIDv7.make())
        let payload =
            addressSealed == nil ? try person.vault.seal(MailPayload(to: "ada@example.org", code: code), as: .payload, row: id.uuid) : []
        store.put(
            QueuedMail(
                id: id, kind: kind, payload: payload, keyID: person.vault.key.id, subject: subject, addressSealed: addressSealed,
                accountSealed: accountSealed, createdAt: Date(timeIntervalSinceNow: -age)))
        let tenant = Tenant(
            id: person.owner.tenant, slug: "walks", name: "Walks", mailFromName: "Walks", mailFromAddress: "diary@localhost",
            createdAt: .now, suspendedAt: nil)
        var limits = Limits()
        limits.exportLinkSeconds = linkSeconds
        _ = try await SendMail(
            store: store, exports: LinkedExports(linked: export), tenants: StubTenants([tenant]), keys: person.keys,
            serviceKeys: Self.serviceKeys, composer: PlainComposer(), routing: OneService(service: transport), links: StubLinks(),
            publicURL: "https://diary.example", limits: limits
        ).run(.make(.mail, owner: person.owner, subject: id.uuid, errors: errors))
    }

    @Test(
        "a code that has run out is not mailed; a notice of that age is",
        arguments: [(MailKind.signInCode, 1_860.0, false), (.signInCode, 1_740, true), (.passwordChanged, 100_000, true)])
    func age(kind: MailKind, seconds: Double, isSent: Bool) async throws {
        var tests = self
        tests.age = seconds
        let transport = Transport()

        try? await tests.send(kind, code: "01234567", errors: 3, transport)

        #expect(transport.sent.now.count == (isSent ? 1 : 0))
    }

    @Test("a code goes to the address that waits sealed")
    func code() async throws {
        let transport = Transport()

        try await send(.verificationCode, code: "01234567", transport)

        #expect(transport.sent.now.map(\.to) == ["ada@example.org"])
        #expect(transport.sent.now.map(\.text) == ["01234567"])
        #expect(store.written.count == 1)
    }

    @Test(
        "an address that bounced gets codes that verify it alone, one whose owner complained all codes, one that bounced softly everything")
    func suppressed() async throws {
        for reason in MailBounceReason.allCases {
            store.put(PreparedMail(bounce: reason))
            let notices = [MailKind.passwordChanged, .addressChanged]
            for kind in [.verificationCode, .addressCode, .reauthenticationCode, .signInCode, .resetCode] + notices {
                let transport = Transport()
                let goes =
                    switch reason {
                    case .softBounce: true
                    case .complaint: !notices.contains(kind)
                    case .hardBounce, .block, .invalidAddress: !([.signInCode, .resetCode] + notices).contains(kind)
                    }
                do throws(JobStop) {
                    try await send(kind, code: "01234567", transport)
                    #expect(goes, "\(reason) \(kind)")
                } catch {
                    #expect(!goes && error == .discard(.addressSuppressed), "\(reason) \(kind)")
                }
                #expect(transport.sent.now.count == (goes ? 1 : 0))
            }
        }
    }

    @Test("a mail is asked for by the look-up hash of its address, in the account's language and the app's")
    func prepared() async throws {
        let transport = Transport()
        store.put(PreparedMail(words: MailWords(locale: "en", text: "own words", html: nil)))

        try await send(.passwordChanged, addressSealed: try address("Ada@Example.org"), transport)

        #expect(store.preparedFor?.hash == Self.serviceKeys.addressHash("ada@example.org", tenant: person.owner.tenant))
        #expect(store.preparedFor?.locales == ["en"])
        #expect(transport.sent.now.map(\.subject) == ["own words"])
    }

    @Test("a mail to an address that the account has left, or to another account's, does not count as one to the present address")
    func leftAddress() async throws {
        let (ada, present, other) = (try address(), try address("Ada@Example.org"), try address("eve@example.org"))
        let cases: [(kind: MailKind, to: [UInt8]?, account: [UInt8]?, isAccountAddress: Bool)] = [
            (.sessionReused, ada, present, true), (.sessionReused, other, present, false), (.sessionReused, ada, nil, false),
            // To ada@example.org, in the payload.
            (.passwordChanged, nil, present, true), (.passwordChanged, nil, other, false),
        ]
        for (kind, to, account, isAccountAddress) in cases {
            try await send(kind, addressSealed: to, accountSealed: account, Transport())

            #expect(store.preparedFor?.isAccountAddress == isAccountAddress)
        }
    }

    @Test("a notice goes to the account's address as it was")
    func notice() async throws {
        let transport = Transport()

        try await send(.identityUnlinked, addressSealed: try address("eve@example.org"), transport)

        #expect(transport.sent.now.map(\.to) == ["eve@example.org"])
    }

    @Test("an export's mail holds a link that parses back to it")
    func link() async throws {
        var export = try ExportTests.export()
        export.expiresAt = Date(timeIntervalSince1970: 1_900_000_000)
        let transport = Transport()

        try await send(.exportReady, subject: export.id.uuid, export: export, addressSealed: try address(), transport)

        #expect(transport.sent.now.map(\.to) == ["ada@example.org"])
        let text = try #require(transport.sent.now.first?.text)
        #expect(text.hasPrefix("https://diary.example/exports/"))
        let link = ExportLink(token: String(text.dropFirst("https://diary.example/exports/".count)), links: StubLinks())
        #expect(link?.owner == person.owner)
        #expect(link?.export == export.id)
        #expect(link?.expires == 1_900_000_000)
    }

    @Test("a mailed link ends before the zip that a schedule keeps, and as late for one that is mailed again")
    func keptZip() async throws {
        var test = self
        test.linkSeconds = 60
        var export = try ExportTests.export()
        export.expiresAt = Date.now.addingTimeInterval(1_000_000)
        let transport = Transport()
        let before = Date.now.timeIntervalSince1970.rounded(.down)

        try await test.send(.exportReady, subject: export.id.uuid, export: export, addressSealed: try address(), transport)

        let text = try #require(transport.sent.now.first?.text)
        let link = ExportLink(token: String(text.dropFirst("https://diary.example/exports/".count)), links: StubLinks())
        let end = Double(try #require(link?.expires))
        #expect((before + 60...Date.now.timeIntervalSince1970 + 60).contains(end))
    }

    @Test("A9: unavailable and misconfigured are tried again, refused is discarded, and none is marked as sent")
    func failures() async throws {
        for (failure, stop) in [
            (MailFailure.unavailable("421"), JobStop(outcome: .retry(.mailUnavailable, after: nil), cause: "421")),
            (.unavailable("429", after: 30), JobStop(outcome: .retry(.mailUnavailable, after: 30), cause: "429")),
            (.misconfigured("401"), JobStop(outcome: .retry(.mailUnavailable, after: nil), cause: "401")),
            (.refused("550"), JobStop(outcome: .discard(.mailRefused), cause: "550")),
        ] {
            await #expect(throws: stop) { try await send(.verificationCode, code: "1", Transport(failure: failure)) }
        }
        #expect(store.written.isEmpty)
    }

    @Test("A5: a mail that was sent is not sent again because the database was away for its mark")
    func markedLate() async throws {
        let transport = Transport()
        store.failFinishing(.unavailable(.unavailable(cause: "restart")), .unavailable(.unavailable(cause: "restart")))

        try await send(.verificationCode, code: "01234567", transport)

        #expect(transport.sent.now.count == 1)
        #expect(store.written.count == 1)
    }

    @Test("E3: a revoked export's link is not mailed; one that ran out meanwhile says why")
    func revoked() async throws {
        let transport = Transport()
        await #expect(throws: JobStop.discard(.gone)) {
            try await send(.exportReady, subject: UUID(), addressSealed: try address(), transport)
        }
        await #expect(throws: JobStop.discard(.mailUnavailable)) {
            try await send(.exportReady, subject: UUID(), errors: 40, addressSealed: try address(), transport)
        }
        #expect(transport.sent.now.isEmpty)
    }

    @Test("decision D11: an export's mail is not sent to the address it was queued with when the account has no verified one now")
    func unverified() async throws {
        var export = try ExportTests.export()
        export.expiresAt = Date(timeIntervalSince1970: 1_900_000_000)
        let transport = Transport()

        await #expect(throws: JobStop.discard(.mailRefused)) {
            try await send(.exportReady, subject: export.id.uuid, export: export, transport)
        }

        #expect(transport.sent.now.isEmpty)
    }
}
