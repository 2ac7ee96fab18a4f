import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Uploads of zips")
struct ImportUploadTests {
    private static let member = TestTokens.member

    private func feature(_ store: OneImport) throws -> ImportFeature {
        var tenant = Stub.tenant("diary")
        try tenant.configuration.set("limits.upload_window_seconds", to: "7200")
        var ports = try FeaturePorts.stub(tenants: [tenant])
        ports.imports = store
        ports.parts = MemoryParts()
        return ImportFeature(ports)
    }

    @Test("an import that waits longer than a URL lives stays as it is; one that ends before gets a new window, for parts too")
    func window() async throws {
        for (given, expected) in [(901.0, 901.0), (900, 7_200), (-60, 7_200)] {
            let (whole, inParts) = (
                OneImport(.awaitingUpload, expiresAt: Stub.now + given), OneImport(.awaitingUpload, expiresAt: Stub.now + given)
            )

            let renewed = try await feature(whole).create.renew(whole.now.id, by: Self.member)
            let offer = try await feature(inParts).parts.open(inParts.now.id, from: 1, limit: 10, by: Self.member)

            #expect(renewed.import.uploadExpiresAt == Stub.now + expected && whole.now.uploadExpiresAt == Stub.now + expected)
            #expect(inParts.now.uploadExpiresAt == Stub.now + expected && offer.targets.count == 1)
        }
    }

    @Test(
        "no URL is made for a zip that has arrived or was waited for in vain, and an expired import says that it has expired",
        arguments: [
            (ImportStatus.failed, ProcessingCode?.some(.uploadExpired), true), (.failed, .zipUnsafe, false), (.importing, nil, false),
        ])
    func ended(status: ImportStatus, code: ProcessingCode?, isExpired: Bool) async throws {
        let store = OneImport(status, code: code)
        let (imports, id) = (try feature(store), store.now.id)
        let attempts: [() async throws -> Void] = [
            { _ = try await imports.create.renew(id, by: Self.member) },
            { _ = try await imports.parts.open(id, from: 1, limit: 1, by: Self.member) },
            { _ = try await imports.parts.list(id, by: Self.member) },
            { try await imports.parts.abort(id, by: Self.member) },
        ]
        for attempt in attempts {
            let error = await #expect(throws: DiaryError.self) { try await attempt() }
            #expect(error?.code == .uploadFinished && error?.detail?.contains("expired") == (isExpired ? true : nil))
        }
        #expect(try await imports.complete.run(id, by: Self.member) == store.now)
    }
}
