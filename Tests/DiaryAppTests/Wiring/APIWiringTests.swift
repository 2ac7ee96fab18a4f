import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryHTTP
import DiaryTesting
import PostgresClient
import Testing

@testable import DiaryApp

@Suite("Wiring of the API", .timeLimit(.minutes(1)))
struct APIWiringTests {
    /// The ports of production; signatures of access tokens and the counting of guesses are stubs.
    private func ports(_ changes: [String: String?] = [:]) async throws -> FeaturePorts {
        let wired = try WiredApplication(changes)
        let databases = try APIDatabases(wired.application)
        let transfers = try wired.application.identityProviderTransfers("curl-test")
        let guesses = GuessLimit(
            limiter: NoLimits(), policy: RatePolicies().guess, serviceKeys: wired.application.serviceKeys, clock: .system)
        let ports = try wired.application.featurePorts(
            databases, tokens: TestTokens(), guesses: guesses, transfers: transfers, mailTransfers: transfers)
        for pool in databases.pools { await pool.close(within: .zero) }
        await transfers.close(within: .zero)
        return ports
    }

    @Test("the ports of production carry every route")
    func routes() async throws {
        let ports = try await ports()
        func operations(_ ports: FeaturePorts) -> Set<String> {
            let service = ServiceDescription(
                contract: ContractFiles(yaml: "", json: nil, reference: nil, exportManifest: ""), version: "", readiness: { [:] },
                schema: { .current }, jwks: { "" })
            let routes = DiaryRoutes(features: DiaryFeatures(ports), service: service, limits: ports.limits, publicURL: ports.publicURL)
            return Set(routes.table().operations.map { "\($0.method) \($0.template)" })
        }

        #expect(operations(ports) == operations(try .stub()))
        #expect(!operations(ports).isEmpty)
    }

    @Test("signed addresses begin with the public URL")
    func publicURL() async throws {
        let ports = try await ports(["DIARY_PUBLIC_URL": "https://diary.example.org/api"])
        let key = ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: Stub.owner.user.uuid)

        let target = ports.uploadSigner.sign(key, contentType: "audio/mp4", length: 1, sha256: nil, at: Stub.now, lifetime: 60)

        #expect(ports.publicURL == "https://diary.example.org/api")
        #expect(target.url.hasPrefix("https://diary.example.org/api/objects/"))
    }

    @Test("authorization codes of Apple are exchanged only with Apple's key")
    func apple() async throws {
        let key = [
            "DIARY_APPLE_TEAM_ID": "ABCDE12345", "DIARY_APPLE_KEY_ID": "ABCDE67890", "DIARY_APPLE_KEY": try P256PrivateKey.generate().pem,
        ]

        #expect(try await !ports().keepsAppleGrants)
        #expect(try await ports(key).keepsAppleGrants)
    }

    @Test("an object folder that cannot be made stops the start, with the setting's name")
    func objects() {
        #expect(throws: SettingsError("DIARY_OBJECTS", "cannot be used as a folder")) {
            _ = try WiredApplication(["DIARY_OBJECTS": "/dev/null/objects"])
        }
    }
}
