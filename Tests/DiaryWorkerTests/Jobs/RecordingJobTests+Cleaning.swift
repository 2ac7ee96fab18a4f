import DiaryCore
import DiaryTesting
import Testing

@testable import DiaryWorker

extension RecordingJobTests {
    static let words = Array(repeating: "seaside", count: 60)

    /// Cleans sixty words (or `said`) and returns the machine's part as it is stored.
    private func clean(
        _ said: [String] = words, errors: Int = 0, gates: [any EngineGate] = [],
        _ answer: @escaping @Sendable (RawTranscript) throws(ProviderFailure) -> String
    ) async throws
        -> MachinePart
    {
        let raw = said.joined(separator: " ")
        let facts = try entry(machine: MachinePart(raw: raw))
        let spoken = [SpeechSegment(start: 0, end: 1, words: said.map { TimedWord(text: $0, start: 0, end: 1, confidence: 1) })]
        store.put(
            segments: SealedColumn(bytes: try person.vault.seal(spoken, as: .segments, row: facts.id.uuid, version: 1), version: 1),
            of: facts.id)
        let next = try await CleanTranscript(
            store: store, keys: person.keys, engines: FixedEngines.one(text: FixedCleaner(answer: answer)), gates: gates,
            tenants: StubTenants([]), limits: Limits()
        )
        .run(.make(.clean, owner: person.owner, subject: facts.id.uuid, errors: errors))
        #expect(next == JobCatalogue.diary.successor(of: .clean)?.kind)
        let machine = try #require(store.machine)
        #expect(machine.version == 2)
        return try person.vault.open(MachinePart.self, machine.sealed, as: .machine, row: facts.id.uuid, version: 2)
    }

    @Test("a cleaned text stands beside the raw one")
    func cleaned() async throws {
        let raw = Self.words.joined(separator: " ")
        let machine = try await clean { raw throws(ProviderFailure) in raw.text + "." }
        #expect(
            machine
                == MachinePart(
                    raw: raw, clean: raw + ".", cleanup: Cleanup(thousandths: 1_000), textEngine: EngineReference(name: "fixed")))
    }

    @Test(
        "A12: empty, refusing, tenfold and inventing cleaners leave the raw words, and the reason is stored",
        arguments: [
            ("", .tooShort), (" \n", .tooShort), ("I cannot help with that.", .refusal), ("x10", .tooLong), ("<b>seaside</b>", .markup),
        ] as [(String, Cleanup.Reason)])
    func fallsBack(answer: String, reason: Cleanup.Reason) async throws {
        let machine = try await clean { raw throws(ProviderFailure) in answer == "x10" ? String(repeating: raw.text, count: 10) : answer }
        #expect(machine.clean == nil && machine.raw == Self.words.joined(separator: " "))
        #expect(machine.cleanup?.state == .rejected && machine.cleanup?.reason == reason)
    }

    @Test("A12: a permanent failure, or the last try's, leaves the raw words; an earlier one is tried again")
    func failing() async throws {
        let raw = MachinePart(raw: Self.words.joined(separator: " "))
        let permanent = try await clean { _ throws(ProviderFailure) in
            throw ProviderFailure(.permanent, code: .cleanupUnavailable, cause: "400")
        }
        let failed = MachinePart(raw: raw.raw, cleanup: .failed(.cleanupUnavailable))
        #expect(permanent == failed && failed.cleanup?.state == .failed)
        let last = try await clean(errors: 7) { _ throws(ProviderFailure) in
            throw ProviderFailure(.retry, code: .cleanupUnavailable, cause: "503")
        }
        #expect(last == failed)
        let stop = await #expect(throws: JobStop.self) {
            _ = try await clean { _ throws(ProviderFailure) in
                throw ProviderFailure(.retry, code: .cleanupUnavailable, retryAfter: 9, cause: "503")
            }
        }
        #expect(stop?.outcome == .retry(.cleanupUnavailable, after: 9))
    }

    @Test("a text that no engine may see keeps its raw words and says why; one that waits for a budget is not finished")
    func gated() async throws {
        func refused(_ failure: ProviderFailure, errors: Int = 0) async throws -> MachinePart {
            try await clean(errors: errors, gates: [RefusingGate(failure: failure)]) { raw throws(ProviderFailure) in raw.text + "." }
        }
        let raw = Self.words.joined(separator: " ")
        let unconsented = try await refused(ProviderFailure(.permanent, code: .consentRequired, cause: "no consent"))
        #expect(unconsented.raw == raw && unconsented.clean == nil)
        #expect(unconsented.cleanup == .failed(.consentRequired) && store.waiting == .consentRequired)
        let off = try await refused(ProviderFailure(.permanent, code: .cleanupUnavailable, cause: "off"))
        #expect(off.clean == nil && off.cleanup == .failed(.cleanupUnavailable) && store.waiting == nil)
        let stop = await #expect(throws: JobStop.self) {
            _ = try await refused(.waiting(code: .budgetExceeded, after: 7_200, cause: "used up"), errors: 7)
        }
        #expect(stop?.outcome == .wait(.budgetExceeded, after: 7_200))
    }

    @Test("a short text may lose half of itself but not become an essay; a silent one is not sent")
    func short() async throws {
        #expect(try await clean(["um", "um", "uh", "yes"]) { _ throws(ProviderFailure) in "Yes." }.clean == "Yes.")
        #expect(try await clean(["yes"]) { _ throws(ProviderFailure) in String(repeating: "essay ", count: 30) }.clean == nil)
        #expect(try await clean([]) { _ throws(ProviderFailure) in "As a language model" }.clean == nil)
    }
}

private struct RefusingGate: EngineGate {
    let failure: ProviderFailure

    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) { throw failure }
    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {}
}
