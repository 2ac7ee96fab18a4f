@testable import DiaryApp

extension Environment {
    /// The required settings, and nothing else.
    static let needed = [
        "DIARY_PUBLIC_URL": "https://diary.example.org", "DIARY_DATABASE_URL": "postgresql://db.example.org/diary",
        "DIARY_KEYS_DATABASE_URL": "postgresql://db.example.org/diary_keys", "DIARY_REDIS_URL": "redis://redis.example.org",
        "DIARY_OBJECTS": "/srv/objects", "DIARY_TEMPORARY": "/srv/tmp", "DIARY_MAIL_OUTBOX": "/srv/mail",
        "DIARY_MASTER_KEYS": "m1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "DIARY_SERVICE_SECRET": "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
    ]

    /// The required settings with some changed; nil removes one.
    static func service(_ changes: [String: String?] = [:]) -> Environment {
        Environment(changes.reduce(into: needed) { values, change in values[change.key] = change.value })
    }
}
