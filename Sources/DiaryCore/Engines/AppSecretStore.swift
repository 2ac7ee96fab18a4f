/// Secrets of apps as workers read them.
package protocol AppSecretStore: Sendable {
    /// nil when the app has none of this name.
    func secret(_ name: String, of tenant: TenantID) async throws(DiaryError) -> StoredAppSecret?
}
