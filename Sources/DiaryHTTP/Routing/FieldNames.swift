import HTTPTypes

/// Fields that HTTPTypes has no name for, each parsed once. Optional because the initialiser refuses names that are no token; these are.
enum FieldNames {
    static let diaryApp = HTTPField.Name("Diary-App")
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")
    static let noSniff = HTTPField.Name("X-Content-Type-Options")
    static let rateLimit = HTTPField.Name("RateLimit")
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy")
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")
    static let requestID = HTTPField.Name("X-Request-Id")
    static let sendGridSignature = HTTPField.Name("X-Twilio-Email-Event-Webhook-Signature")
    static let sendGridTimestamp = HTTPField.Name("X-Twilio-Email-Event-Webhook-Timestamp")
    static let traceParent = HTTPField.Name("traceparent")
}
