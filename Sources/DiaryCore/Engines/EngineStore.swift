/// Engines as workers read them.
package protocol EngineStore: Sendable {
    func chains(of tenant: TenantID) async throws(DiaryError) -> StoredChains
    func choice(of owner: Owner) async throws(DiaryError) -> EngineChoice
}
