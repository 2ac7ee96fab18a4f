import Testing

@testable import S3Client

@Suite("S3: XML and retries")
struct AnswerTests {
    @Test("elements, text and references are read; prefixes, attributes and comments left out")
    func reads() throws {
        let text = """
            \n<?xml version="1.0" encoding="UTF-8"?><!-- c --><s3:List xmlns:s3='http://x' a="1">
            <Key>a&amp;b &lt;&#228;&#xE4;&gt;</Key><Empty/><Contents><Size>5</Size></Contents><Contents/></s3:List>\n
            """

        let root = try XMLReader.read(Array(text.utf8))

        #expect(root.name == "List")
        #expect(root.text("Key") == "a&b <ää>")
        #expect(root.text("Empty")?.isEmpty == true)
        #expect(root.all("Contents").count == 2)
        #expect(root.text("Contents") == nil)
        #expect(root.first("Contents")?.text("Size") == "5")
    }

    @Test(
        "what is not plain XML is refused",
        arguments: [
            "", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>text", "<a b></a>", "<a b='<'></a>", "<a>&nbsp;</a>", "<a>&#0;</a>",
            "<a>&#xD800;</a>", "<a>&amp</a>", "<a>\u{1}</a>", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
            "<a><![CDATA[x]]></a>", "<a><?p x?></a>", "<a b='1'c='2'/>", "<:a/>", "<a:b:c/>", "< a/>", "<a>&#+65;</a>",
        ])
    func refuses(text: String) {
        #expect(throws: XMLReader.Fault.self) { try XMLReader.read(Array(text.utf8)) }
    }

    @Test("depth, number of elements and bytes that are no UTF-8 are bounded")
    func bounds() throws {
        let deep = { (count: Int) in Array((String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)).utf8) }
        #expect(try XMLReader.read(deep(XMLReader.maximumDepth)).name == "a")
        #expect(throws: XMLReader.Fault.self) { try XMLReader.read(deep(XMLReader.maximumDepth + 1)) }
        #expect(throws: XMLReader.Fault.self) { try XMLReader.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) }
        let wide = "<a>" + String(repeating: "<b/>", count: XMLReader.maximumElements) + "</a>"
        #expect(throws: XMLReader.Fault.self) { try XMLReader.read(Array(wide.utf8)) }
    }

    @Test("of a lifecycle rule days, dates, classes of storage and tags are read, wherever its prefix stands")
    func lifecycle() throws {
        func rule(_ text: String) throws -> S3LifecycleRule {
            S3LifecycleRule(try XMLReader.read(Array("<Rule><Status>Enabled</Status>\(text)</Rule>".utf8)))
        }

        let days = try rule(
            """
            <Filter><Prefix>a/</Prefix></Filter><Expiration><Days>9</Days></Expiration>
            <AbortIncompleteMultipartUpload><DaysAfterInitiation>8</DaysAfterInitiation></AbortIncompleteMultipartUpload>
            <NoncurrentVersionExpiration><NoncurrentDays>7</NoncurrentDays></NoncurrentVersionExpiration>
            """)
        #expect(
            days
                == S3LifecycleRule(
                    prefix: "a/", isEnabled: true, expiresAfterDays: 9, abortsUploadsAfterDays: 8, expiresOldVersionsAfterDays: 7))
        let moving = try rule(
            """
            <Prefix/><Expiration><Date>2030-01-01T00:00:00Z</Date></Expiration>
            <Transition><Days>30</Days><StorageClass>STANDARD_IA</StorageClass></Transition>
            <Transition><Date>2030-01-01T00:00:00Z</Date><StorageClass>GLACIER</StorageClass></Transition>
            """)
        #expect(moving.prefix.isEmpty && moving.expiresOn == "2030-01-01T00:00:00Z" && moving.expiresAfterDays == nil)
        #expect(moving.transitions == ["STANDARD_IA", "GLACIER"] && !moving.hasTags)
        let tagged = try rule("<Filter><And><Prefix>b/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter>")
        #expect(tagged.prefix == "b/" && tagged.hasTags)
        #expect(try rule("<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>").hasTags)
    }

    @Test("a code that could forge a line of the log is none")
    func codes() {
        let document = { (code: String) in Array("<Error><Code>\(code)</Code></Error>".utf8) }
        #expect(S3Error.code(of: document("SlowDown")) == "SlowDown")
        #expect(S3Error.code(of: document("a\nlevel=error")) == nil)
        #expect(S3Error.code(of: document(String(repeating: "a", count: 65))) == nil)
        #expect(S3Error.code(of: Array("<html><Code>A</Code></html>".utf8)) == nil)
    }

    @Test("delays grow with the tries up to the cap, with full jitter, and obey the service")
    func delays() {
        let retries = S3Retries()

        #expect(retries.delay(after: 1, asked: nil) { $0.upperBound } == .milliseconds(100))
        #expect(retries.delay(after: 3, asked: nil) { $0.upperBound } == .milliseconds(400))
        #expect(retries.delay(after: 60, asked: nil) { $0.upperBound } == .seconds(5))
        #expect(retries.delay(after: 60, asked: nil) { $0.lowerBound } == .zero)
        #expect(retries.delay(after: 1, asked: .seconds(2)) { $0.upperBound } == .seconds(2))
        #expect(retries.delay(after: 1, asked: .seconds(3_600)) { $0.upperBound } == .seconds(20))
    }

    @Test("a service that fails as a whole spends the budget, and successes earn it back")
    func budget() {
        let budget = RetryBudget()
        var taken = 0
        while budget.take() { taken += 1 }
        #expect(taken == RetryBudget.capacity / 5)
        for _ in 0..<4 { budget.succeeded() }
        #expect(!budget.take())
        budget.succeeded()
        #expect(budget.take())
        #expect(!budget.take())
    }

    @Test("endpoints and buckets keep what is requested and refuse the rest")
    func addresses() throws {
        #expect(S3Endpoint("https://S3.Example.com:443/")?.description == "https://s3.example.com")
        #expect(S3Endpoint("http://[::1]:9000")?.description == "http://[::1]:9000")
        for text in ["", "s3.example.com", "ftp://a", "http://", "http://a/b", "http://a?b", "http://a@b", "http://a b", "http://a:0"] {
            #expect(S3Endpoint(text) == nil, "\(text)")
        }
        let endpoint = try #require(S3Endpoint("http://127.0.0.1:9000"))
        for name in ["ab", "A-bucket", "a_b", "a..b", ".ab", "a/b", String(repeating: "a", count: 64)] {
            #expect(S3Bucket(name, at: endpoint, style: .path) == nil, "\(name)")
        }
        let path = try #require(S3Bucket("my.bucket", at: endpoint, style: .path))
        let virtual = try #require(S3Bucket("my.bucket", at: endpoint, style: .virtual))
        #expect(path.origin + path.path(of: "a b/ü+") == "http://127.0.0.1:9000/my.bucket/a%20b/%C3%BC%2B")
        #expect(virtual.origin + virtual.path(of: "a") == "http://my.bucket.127.0.0.1:9000/a")
        #expect(path.path(of: nil) == "/my.bucket")
        #expect(virtual.path(of: nil) == "/")
    }
}
