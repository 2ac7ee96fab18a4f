import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Renaming tags") struct ChangeTagTests {
    @Test("a schedule whose tags another device changes meanwhile keeps them, and the tag is renamed among them")
    func schedules() async throws {
        let ring = try #require(Stub.keyRing)
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let vault = try await keys.vault(of: TestTokens.member)
        func schedule(_ tags: [String], version: Int64) throws -> ExportSchedule {
            var schedule = Stub.schedule
            (schedule.sealedTags, schedule.version) = (try SealedTags(tags, vault)?.sealed, version)
            return schedule
        }
        let store = ChangingSchedules(
            listed: try schedule(["old", "work"], version: 1), present: try schedule(["old", "home", "garden"], version: 2))
        let change = ChangeTag(
            store: StubStore(), schedules: store, editSchedule: EditExportSchedule(store: store, keys: keys, zones: .system), keys: keys,
            read: ReadTags(store: StubStore(), keys: keys))
        var patch = TagPatch()
        patch.name = "new"

        // No entry has it.
        let refusal = await #expect(throws: DiaryError.self) { _ = try await change.run("old", patch, by: TestTokens.member) }

        #expect(refusal?.code == .notFound)
        let written = try await store.present.opened(for: TestTokens.member, keys)
        #expect(written.terms.tags == ["new", "home", "garden"] && written.version == 3)
    }
}

/// A schedule that was changed after it was listed.
private actor ChangingSchedules: ExportScheduleStore {
    let listed: ExportSchedule
    private(set) var present: ExportSchedule

    init(listed: ExportSchedule, present: ExportSchedule) {
        self.listed = listed
        self.present = present
    }

    func place(of member: Member) async throws(DiaryError) -> SchedulePlace { try await StubStore().place(of: member) }
    func create(
        _ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> ExportSchedule? { nil }
    func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule? { present }
    func schedules(
        before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [ExportSchedule] { [listed] }
    func change(
        _ schedule: ScheduleWrite, from old: ExportSchedule, by member: Member
    ) async throws(DiaryError) -> ExportSchedule? {
        guard old.version == present.version else { return nil }
        (present.terms, present.sealedTags, present.version) = (schedule.terms, schedule.tags?.sealed, present.version + 1)
        return present
    }
    func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) -> Bool { false }
    func run(
        _ id: ExportScheduleID, _ run: ScheduledRun, claim: KeyClaim?, requestID: String?, by member: Member
    ) async throws(DiaryError) -> Export? { nil }
    func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError) {}
}
