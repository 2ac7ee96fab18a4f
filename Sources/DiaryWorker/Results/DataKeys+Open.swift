import DiaryCore
import DiaryCrypto

extension DataKeys {
    func open(_ owner: Owner) async throws(JobStop) -> DataKey {
        do throws(DiaryError) { return try await key(of: owner) } catch { throw JobStop(error) }
    }
}
