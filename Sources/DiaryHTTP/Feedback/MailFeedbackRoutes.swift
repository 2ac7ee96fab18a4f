import DiaryCore
import HTTPTypes
import WireFormats

/// Reports of mail providers. What they sign is the body as it came, so it is not read as fields.
/// The body comes last: anybody may send one, and where no signer is set none is read.
struct MailFeedbackRoutes: Sendable {
    let feedback: MailFeedbackFeature
    let policies: RatePolicies

    /// SendGrid's batches are smaller by far; a message of SNS has at most 256 KiB, which JSON may write twice as long.
    private static let mostBytes: Int64 = 1 << 20

    var routes: [Route] {
        [
            Route(.post, "/webhooks/mail/sendgrid", bodyLimit: Self.mostBytes, limits: policies.mailEvents) { (context: AnonymousContext) in
                let app = try Self.app(context)
                try JSONBody.checkType(context.exchange.headers)
                guard let signature = try Self.field(FieldNames.sendGridSignature, context),
                    let timestamp = try Self.field(FieldNames.sendGridTimestamp, context)
                else { throw DiaryError(.signatureRefused, cause: "not signed") }
                let source = try await feedback.handle.sendGridSource(app)
                let delivery = SendGridDelivery(body: try await context.body.collect(), signature: signature, timestamp: timestamp)
                return Self.reply(try await feedback.handle.run(delivery, from: source, origin: context.origin))
            },
            // SNS calls its JSON text/plain.
            Route(.post, "/webhooks/mail/ses", bodyLimit: Self.mostBytes, limits: policies.mailEvents) { (context: AnonymousContext) in
                let source = try await feedback.handle.snsSource(try Self.app(context))
                return Self.reply(
                    try await feedback.handle.run(sns: try await context.body.collect(), from: source, origin: context.origin))
            },
        ]
    }

    private static func app(_ context: AnonymousContext) throws(DiaryError) -> String? {
        var query = context.query()
        let app = query.text("app", max: 64)
        try query.finish()
        return app
    }

    private static func field(_ name: HTTPField.Name?, _ context: AnonymousContext) throws(DiaryError) -> String? {
        guard let name else { return nil }
        return try context.header(name)
    }

    private static func reply(_ noted: Int) -> Reply { Reply.json { $0.member("noted", noted) } }
}
