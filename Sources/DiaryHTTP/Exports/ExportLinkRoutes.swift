import DiaryCore
import DiaryCrypto
import HTTPTypes

/// The routes of a mailed link: a page whose views are not counted, a button that counts a download, and the zip. `Dispatcher` shows their
/// errors as pages to browsers.
struct ExportLinkRoutes: Sendable {
    let exports: ExportFeature
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.get, "/exports/{token}", limits: policies.links) { (context: AnonymousContext) in
                let token = try context.parameter("token")
                let page = try await exports.download.page(token)
                let language = PageLanguage.of(account: page.export.locale, context.exchange.headers)
                return ExportLinkPage.landing(page, action: prefix.path("/exports/\(token)/download"), in: language)
            },
            Route(.post, "/exports/{token}/download", limits: policies.links) { (context: AnonymousContext) in
                let token = try context.parameter("token")
                let part = try ExportFields.part(context.query())
                let query = try await exports.download.countDownload(token, part: part, from: context.origin)
                return .redirect(.seeOther, to: prefix.path("/exports/\(token)/file?\(query)"))
            },
            Route(.get, "/exports/{token}/file", limits: policies.links) { (context: AnonymousContext) in
                try await file(context)
            },
        ]
    }

    private func file(_ context: AnonymousContext) async throws -> Reply {
        let token = try context.parameter("token")
        var part: Int?
        let proof = try LinkProof(context) { query in part = query.integer("part", in: 1...Export.mostParts) }
        let zip = try await exports.download.open(token, part: part, expires: proof.expires, signature: proof.signature)
        // An export's zip is made once, so its object identifies its bytes: a broken download can be resumed, also by another link.
        let tag = ContentTag.text(Array(SHA256.digest(Array(ObjectID(zip.object).description.utf8)).prefix(16)))
        return try await RangedContent(
            size: zip.size, type: "application/zip", disposition: .attachment, filename: zip.filename, tag: tag, read: zip.read
        ).reply(to: context.exchange).with("X-Robots-Tag", "noindex")
    }
}
