import FoundationEssentials

@testable package import DiaryCore

extension StubStore: ExportStore {
    package func create(_ export: NewExport, by member: Member) async throws(DiaryError) -> ExportCreateOutcome { .created(Stub.export) }
    package func estimate(
        _ selection: RequestedSelection, tags: SealedTags?, includeAudio: Bool, of member: Member
    ) async throws(DiaryError) -> Result<ExportEstimate.Counts, ExportSelectionFault> {
        .success(ExportEstimate.Counts(entries: 3, recordings: 1, recordingBytes: 1_000, textBytes: 500))
    }
    package func export(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export? { nil }
    package func exports(
        before position: ListPosition?, limit: Int, schedule: ExportScheduleID?, status: ExportStatus?, of member: Member
    ) async throws(DiaryError) -> [Export] {
        Array(Stub.exports.filter { status == nil || $0.status == status }.prefix(limit))
    }
    package func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) -> Bool { false }
    package func linkedExport(_ id: ExportID, of owner: Owner) async throws(DiaryError) -> Export? {
        id == Stub.export.id ? Stub.export : nil
    }
    package func takeOwnDownload(
        _ id: ExportID, part: Int?, by member: Member, requestID: String?
    ) async throws(DiaryError) -> (export: Export, taken: Bool)? {
        Stub.exports.first { $0.id == id }.map { ($0, $0.status == .ready) }
    }
    package func mail(_ request: ExportMailRequest, by member: Member) async throws(DiaryError) -> ExportMailOutcome? {
        Stub.exports.first { $0.id == request.export }.map {
            ExportMailOutcome(export: $0, addressIsProved: $0.id != Stub.unmailable.id, isQueued: false)
        }
    }
    package func takeDownload(_ id: ExportID, part: Int?, of owner: Owner, requestID: String?) async throws(DiaryError) -> Export? {
        id == Stub.export.id ? Stub.export : nil
    }
}
