/// The features of the API, each with its use cases. A new feature is a facade beside its use cases and one line here.
package struct DiaryFeatures: Sendable {
    package let signIn: SignInFeature
    package let account: AccountFeature
    package let identities: IdentityFeature
    package let erasure: ErasureFeature
    package let entries: EntryFeature
    package let uploads: UploadFeature
    package let playback: PlaybackFeature
    package let exports: ExportFeature
    package let tenants: TenantFeature

    package init(_ ports: FeaturePorts) {
        signIn = SignInFeature(ports)
        account = AccountFeature(ports)
        identities = IdentityFeature(ports)
        erasure = ErasureFeature(ports)
        entries = EntryFeature(ports)
        uploads = UploadFeature(ports)
        playback = PlaybackFeature(ports)
        exports = ExportFeature(ports)
        tenants = TenantFeature(ports)
    }
}
