import DiaryTesting
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Bundles of entries", .timeLimit(.minutes(1))) struct BundleEntryTests {
    /// Its bundles are made when it is opened.
    private struct HeldBundler: EntryBundler {
        let begun = Shared(0)
        let isOpen = Shared(false)

        func bundle(_ entry: WholeEntry, in tenant: Tenant?, with vault: Vault) async throws(DiaryError) -> EntryBundle {
            begun.change { $0 += 1 }
            while !isOpen.now { await Task.yield() }
            return EntryBundle(filename: "walk.zip", sizeBytes: 0, body: ArrayBody([]))
        }
    }

    @Test("an account has one bundle made at a time, and none once the client has gone")
    func turns() async throws {
        let (bundler, isGone) = (HeldBundler(), Shared(false))
        var ports = try FeaturePorts.stub()
        ports.bundler = bundler
        let bundle = DiaryFeatures(ports).exports.bundle
        let id = Stub.recording.facts.id

        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            group.addTask { await Self.code { () async throws(DiaryError) in _ = try await bundle.run(id, for: TestTokens.member) } }
            #expect(await eventually { bundler.begun.now == 1 })
            group.addTask { await Self.code { () async throws(DiaryError) in _ = try await bundle.run(id, for: TestTokens.member) } }
            group.addTask {
                await Self.code { () async throws(DiaryError) in _ = try await bundle.run(id, for: TestTokens.member) { !isGone.now } }
            }
            #expect(await eventually { bundle.turns.waiting == 2 })
            #expect(bundler.begun.now == 1)
            isGone.set(true)
            bundler.isOpen.set(true)
            var codes: [ErrorCode?] = []
            for await code in group { codes.append(code) }
            return codes
        }

        #expect(bundler.begun.now == 2 && codes.count { $0 == nil } == 2 && codes.contains(.overloaded))
    }

    private static func code(_ work: () async throws(DiaryError) -> Void) async -> ErrorCode? {
        do throws(DiaryError) {
            try await work()
            return nil
        } catch { return error.code }
    }
}
