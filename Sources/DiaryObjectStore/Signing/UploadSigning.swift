import AWSSigning
package import DiaryCrypto

/// The two sides of an upload URL of this service's own store: what signs it, and what checks the PUT.
package struct UploadSigning: Sendable {
    package let signer: SigV4UploadSigner
    package let verifier: UploadVerifier

    /// - Parameter longestLifetime: seconds; a URL that claims more is refused although SigV4 would allow seven days.
    package init(publicURL: PublicURL, secret: SecretBytes, longestLifetime: Int) {
        let credentials = SigV4Credentials(accessKeyID: "diary", secret: secret)
        signer = SigV4UploadSigner(publicURL: publicURL, credentials: credentials, region: Self.region)
        verifier = UploadVerifier(
            publicURL: publicURL, credentials: credentials, region: Self.region, longestLifetime: longestLifetime)
    }

    /// Part of every signature; this store has no regions.
    private static let region = "local"
}
