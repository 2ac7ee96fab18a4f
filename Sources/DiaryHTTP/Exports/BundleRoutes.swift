import DiaryCore
import HTTPListener
import HTTPTypes

/// An entry as a zip, made while it is sent.
struct BundleRoutes: Sendable {
    let exports: ExportFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/entries/{id}/bundle.zip", limits: policies.reads + policies.downloads) { (context: MemberContext) in
                let connection = context.exchange.connection
                let bundle = try await exports.bundle.run(try context.id(), for: context.member) { connection?.isAwaited ?? true }
                return Reply.stream(type: "application/zip", length: bundle.sizeBytes, bundle.body)
                    .with(.contentDisposition, "attachment; filename=\"\(bundle.filename)\"")
            }
        ]
    }
}
