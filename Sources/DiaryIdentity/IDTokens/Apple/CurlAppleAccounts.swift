package import CurlTransfer
package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

/// Apple's token endpoints over the network. One key signs for all client ids of a team.
package struct CurlAppleAccounts: AppleAccounts {
    private let issuer: IDTokenIssuer
    private let key: AppleKey
    private let transfers: CurlTransfers
    private let verifier: IDTokenVerifier

    /// - Parameter issuer: Apple or a local issuer in its place, with `tokenURL` and `revocationURL`.
    package init(issuer: IDTokenIssuer, key: AppleKey, transfers: CurlTransfers) {
        self.issuer = issuer
        self.key = key
        self.transfers = transfers
        verifier = IDTokenVerifier(issuer: issuer, keys: JWKSCache(issuer: issuer, source: CurlKeySets(transfers: transfers)))
    }

    package func exchange(
        code: String, clientID: String, at now: Date
    ) async throws(AppleFailure) -> (subject: String, refreshToken: SecretBytes) {
        let (status, body) = try await post(
            issuer.tokenURL, AppleEndpoints.exchange(code: code, clientID: clientID, secret: try secret(clientID, now)))
        let tokens = try AppleEndpoints.tokens(status: status, body: body)
        guard let idToken = tokens.idToken else { throw .unavailable }
        do {
            return (try await verifier.verifyExchanged(idToken, audience: clientID, at: now).subject, tokens.refreshToken)
        } catch {
            throw error == .refused ? .grantRefused : .unavailable
        }
    }

    package func revoke(_ refreshToken: SecretBytes, clientID: String, at now: Date) async throws(AppleFailure) {
        let (status, body) = try await post(
            issuer.revocationURL,
            AppleEndpoints.revocation(ofRefreshToken: refreshToken, clientID: clientID, secret: try secret(clientID, now)))
        try AppleEndpoints.revoked(status: status, body: body)
    }

    private func secret(_ clientID: String, _ now: Date) throws(AppleFailure) -> String {
        do {
            return try AppleClient(teamID: key.teamID, clientID: clientID, keyID: key.keyID, key: key.key, issuer: issuer).secret(at: now)
        } catch {
            throw .clientRefused
        }
    }

    private func post(_ url: String?, _ body: [UInt8]) async throws(AppleFailure) -> (status: Int, body: [UInt8]) {
        guard let url else { throw .clientRefused }
        let request = TransferRequest(
            .post, url,
            headers: [(name: "Content-Type", value: AppleEndpoints.contentType), (name: "Accept", value: "application/json")],
            body: .bytes(body), deadlines: TransferDeadlines(connect: .seconds(5), total: .seconds(15), stall: .seconds(10)))
        do {
            let response = try await transfers.collect(request, maximumBytes: AppleEndpoints.maximumBytes)
            return (response.status, response.body)
        } catch {
            throw .unavailable
        }
    }
}

/// The operator's key for Sign in with Apple ("Keys" of the developer account).
package struct AppleKey: Sendable {
    package let teamID: String
    package let keyID: String
    let key: P256PrivateKey

    package init(teamID: String, keyID: String, key: P256PrivateKey) {
        self.teamID = teamID
        self.keyID = keyID
        self.key = key
    }
}
