package import CurlTransfer

extension IDTokenIssuer {
    /// The only hosts that requests for this issuer go to.
    package var hosts: Set<AllowedHost> {
        Set([jwksURL, tokenURL, revocationURL].compactMap { $0 }.compactMap { AllowedHost(of: $0, mayBePrivate: isLocal) })
    }
}
