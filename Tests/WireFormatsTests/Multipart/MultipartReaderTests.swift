import Testing
import WireFormats

@Suite("Bodies of forms")
struct MultipartReaderTests {
    private static func read(_ body: [UInt8], boundary: String = "x", cut: Int = .max) throws -> [MultipartReader.Event] {
        var reader = try #require(MultipartReader(boundary: boundary))
        var events: [MultipartReader.Event] = []
        var rest = body[...]
        while !rest.isEmpty {
            events += try reader.read(Array(rest.prefix(cut)))
            rest = rest.dropFirst(cut)
        }
        try reader.finish()
        return joined(events)
    }

    private static func read(_ text: String, boundary: String = "x", cut: Int = .max) throws -> [MultipartReader.Event] {
        try read(Array(text.utf8), boundary: boundary, cut: cut)
    }

    /// With the bytes of a part in one event.
    private static func joined(_ events: [MultipartReader.Event]) -> [MultipartReader.Event] {
        events.reduce(into: []) { all, event in
            if case .bytes(let more) = event, case .bytes(let before)? = all.last {
                all[all.count - 1] = .bytes(before + more)
            } else {
                all.append(event)
            }
        }
    }

    private static func head(_ disposition: String, _ more: String = "") throws -> MultipartHead {
        let events = try read("--x\r\nContent-Disposition: \(disposition)\r\n\(more)\r\n\r\n--x--")
        guard case .begin(let head)? = events.first else { throw MultipartReader.Fault.header }
        return head
    }

    private static let curl = """
        --------------------------d74496d66958873e\r
        Content-Disposition: form-data; name="note"\r
        \r
        a\r
        --------------------------d74496d66958873e\r
        Content-Disposition: form-data; name="file"; filename="walk.m4a"\r
        Content-Type: audio/mp4\r
        \r
        \r
        --\r\n--------------------------d74496d66958873\r
        --------------------------d74496d66958873e--\r

        """

    @Test("fields and files come in their order, cut anywhere", arguments: 1...70)
    func cuts(cut: Int) throws {
        let events = try Self.read(Self.curl, boundary: "------------------------d74496d66958873e", cut: cut)

        #expect(
            events == [
                .begin(MultipartHead(name: "note")), .bytes(Array("a".utf8)), .end,
                .begin(MultipartHead(name: "file", filename: "walk.m4a", contentType: "audio/mp4")),
                .bytes(Array("\r\n--\r\n--------------------------d74496d66958873".utf8)), .end,
            ])
    }

    @Test("every byte of a file comes through, and a file of nothing but beginnings of delimiters too", arguments: [1, 7, 64, 1_000])
    func bytes(cut: Int) throws {
        let all =
            (0..<20).flatMap { _ in Array(UInt8.min ... .max) } + Array(String(repeating: "\r\n--\r\n-\r\r\n--boundar", count: 99).utf8)
        let start = Array("--boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n".utf8)

        let events = try Self.read(start + all + Array("\r\n--boundary--\r\n".utf8), boundary: "boundary", cut: cut)

        #expect(events == [.begin(MultipartHead(name: "file", filename: "")), .bytes(all), .end])
    }

    @Test("text before the first and after the last delimiter, and blanks behind one, are passed over")
    func around() throws {
        let events = try Self.read("hello\r\n--x \t\r\ncontent-disposition:form-data;name=a\r\n\r\n--x--  \r\n--x\r\nbye")

        #expect(events == [.begin(MultipartHead(name: "a")), .end])
    }

    @Test("names are read in each of the forms that clients send")
    func names() throws {
        #expect(try Self.head("form-data; name=\"file\"; filename=\"a \\\"b\\\" ü; c=d.m4a\"").filename == "a \"b\" ü; c=d.m4a")
        #expect(try Self.head("form-data; name=file; filename=\"C:\\music\\walk.m4a\"").filename == "C:\\music\\walk.m4a")
        #expect(try Self.head("Form-Data; name=file; filename*=utf-8''na%C3%AFve.m4a").filename == "naïve.m4a")
        #expect(try Self.head("form-data; filename=\"b.m4a\"; filename*=UTF-8''a.m4a; name=\"file\"").filename == "a.m4a")
        #expect(try Self.head("form-data;\r\n name=\"file\";").name == "file")
        let typed = try Self.head(
            "form-data; name=\"file\"", "Content-Type: audio/x-m4a\r\nContent-Transfer-Encoding: binary\r\nX-More: 1\r\n")
        #expect(typed.contentType == "audio/x-m4a" && typed.filename == nil)
    }

    @Test(
        "a body that ends before its last delimiter is not whole",
        arguments: ["", "--x", "--x\r\n", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n", "--x-", "--y--"])
    func incomplete(body: String) {
        #expect(throws: MultipartReader.Fault.incomplete) { try Self.read(body) }
    }

    @Test(
        "what could be read in two ways is refused",
        arguments: [
            ("--xy\r\n", .delimiter), ("--x\nContent", .delimiter),
            ("--x" + String(repeating: " ", count: 200), .delimiter),
            ("--x\r\n\r\nno header\r\n--x--", .header), ("--x\r\nContent-Type: audio/mp4\r\n\r\n\r\n--x--", .header),
            ("--x\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--x--", .header),
            ("--x\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n\r\n--x--", .header),
            ("--x\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--x--", .header),
            ("--x\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\n\r\n--x--", .header),
            ("--x\r\nContent-Disposition : form-data; name=a\r\n\r\n\r\n--x--", .header),
            ("--x\r\nContent-Disposition: form-data; name=a\nX: y\r\n\r\n\r\n--x--", .header),
            ("--x\r\nX-Long: " + String(repeating: "a", count: 9_000), .header),
            ("--x\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\n\r\n--x--", .encoding),
            (String(repeating: "\r\n--x\r\nContent-Disposition: form-data; name=a\r\n\r\n", count: 101), .tooManyParts),
        ] as [(String, MultipartReader.Fault)])
    func refused(body: String, fault: MultipartReader.Fault) {
        for cut in [1, 5, Int.max] { #expect(throws: fault) { try Self.read(body, cut: cut) } }
    }

    @Test("the boundary is read from the body's type, and is one that RFC 2046 has")
    func boundaries() {
        #expect(HeaderWords("multipart/form-data; boundary=\"a b\"; charset=utf-8")?["boundary"] == "a b")
        #expect(HeaderWords("Multipart/Form-Data;boundary=----WebKitFormBoundaryAbC")?["boundary"] == "----WebKitFormBoundaryAbC")
        #expect(HeaderWords("multipart/form-data; boundary=a; boundary=b") == nil)
        for wrong in ["", "a ", "ä", "a\r\nb", String(repeating: "a", count: 71)] { #expect(MultipartReader(boundary: wrong) == nil) }
    }
}
