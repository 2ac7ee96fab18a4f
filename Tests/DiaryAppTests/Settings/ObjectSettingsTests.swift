import DiaryCrypto
import S3Client
import Testing

@testable import DiaryApp

@Suite("Settings of objects")
struct ObjectSettingsTests {
    private let bucket: [String: String?] = [
        "DIARY_OBJECTS": "s3://my-diary/a/b/", "DIARY_S3_ENDPOINT": "https://s3.example.com", "DIARY_S3_ACCESS_KEY": "key",
        "DIARY_S3_SECRET_KEY": "secret",
    ]

    private func settings(_ changes: [String: String?] = [:]) throws -> ObjectSettings.Bucket {
        let settings = try Settings(.service(bucket.merging(changes) { $1 }))
        guard case .bucket(let bucket) = settings.objects.place else { throw SettingsError(Settings.objects, "is a folder") }
        return bucket
    }

    @Test("a bucket with a prefix, path style and conditional uploads unless said otherwise")
    func bucketSettings() throws {
        let plain = try settings()
        #expect(plain.prefix == "a/b/" && plain.guardsOverwrites)
        #expect(plain.s3.bucket.name == "my-diary" && plain.s3.bucket.style == .path && plain.s3.region == "us-east-1")
        #expect(plain.s3.publicBucket == plain.s3.bucket && plain.s3.credentials.sessionToken == nil)

        let other = try settings([
            "DIARY_OBJECTS": "s3://my-diary", "DIARY_S3_STYLE": "virtual", "DIARY_S3_PUBLIC_ENDPOINT": "https://objects.example.org",
            "DIARY_S3_SESSION_TOKEN": "token", "DIARY_S3_IF_NONE_MATCH": "0", "DIARY_S3_REGION": "eu-central-1",
        ])
        #expect(other.prefix.isEmpty && !other.guardsOverwrites && other.s3.region == "eu-central-1")
        #expect(other.s3.publicBucket.endpoint.description == "https://objects.example.org" && other.s3.bucket.style == .virtual)
        #expect(other.s3.credentials.sessionToken == "token")
    }

    @Test(
        "a bucket without endpoint or key, and an address that is none, stop the start",
        arguments: [
            ("DIARY_S3_ENDPOINT", nil), ("DIARY_S3_ACCESS_KEY", nil), ("DIARY_S3_SECRET_KEY", nil),
            ("DIARY_S3_ENDPOINT", "s3.example.com"), ("DIARY_S3_ENDPOINT", "https://s3.example.com/path"), ("DIARY_OBJECTS", "s3://"),
            ("DIARY_OBJECTS", "s3://My_Bucket"), ("DIARY_OBJECTS", "s3://my-diary/../x"), ("DIARY_OBJECTS", "s3://my-diary/a b"),
            ("DIARY_S3_STYLE", "host"), ("DIARY_S3_IF_NONE_MATCH", "2"), ("DIARY_S3_REGION", "eu central"),
        ] as [(String, String?)])
    func refused(name: String, value: String?) throws {
        let error = #expect(throws: SettingsError.self) { try settings([name: value]) }
        #expect(error?.name == name)
    }

    @Test(
        "limits that allow objects over the 5 GiB of one PUT, sealed, stop the start with a bucket, and do not without one",
        arguments: ["DIARY_EXPORT_PART_BYTES", "DIARY_MAX_AUDIO_BYTES", "DIARY_MAX_IMPORT_BYTES"])
    func largeObjects(name: String) throws {
        let (most, more) = (String(LimitSettings.bucketBytes), String(LimitSettings.bucketBytes + 1))

        _ = try settings()
        _ = try settings([name: most])
        _ = try Settings(.service([name: more]))
        #expect(throws: SettingsError(name, "must be at most \(most) with a bucket")) { try settings([name: more]) }
        #expect(SealedObjectLayout.sealedLength(ofPlain: Int64(LimitSettings.bucketBytes)) + 300 << 20 <= 5 << 30)
    }

    @Test("a folder needs none of the settings of a bucket")
    func folder() throws {
        guard case .folder(let folder) = try Settings(.service()).objects.place else {
            Issue.record("not a folder")
            return
        }
        #expect(folder == "/srv/objects")
    }
}
