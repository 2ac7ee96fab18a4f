import Testing

@testable import WireFormats

@Suite("A long list in a JSON document, element by element")
struct JSONListReaderTests {
    /// In pieces of so many bytes.
    private func read(
        _ text: String, pieces: Int, maximumElement: Int = 1_000, depth: Int = 8
    ) throws -> (elements: [String], JSONListReader) {
        let bytes = Array(text.utf8)
        var at = 0
        var reader = JSONListReader(list: "entries", maximumElement: maximumElement, maximumDepth: depth)
        var elements: [String] = []
        while let element = try reader.next({
            defer { at = min(at + pieces, bytes.count) }
            return Array(bytes[at..<min(at + pieces, bytes.count)])
        }) {
            elements.append(Self.text(element))
        }
        return (elements, reader)
    }

    private static func text(_ element: JSONListReader.Element?) -> String {
        switch element {
        case .bytes(let bytes)?: String(decoding: bytes, as: UTF8.self)
        case .tooLarge?: "too large"
        case nil: "the end"
        }
    }

    @Test("elements come whole, wherever the pieces end", arguments: [1, 2, 3, 7, 1_000])
    func elements(pieces: Int) throws {
        let text = """
             {"version" : 3, "title":"a ] } \\" \\\\", "entries" : [ {"a":[1,{"b":"]}\\""}]} ,\n"x", -1.5e3,[], null ] ,
            "count":2}\n
            """
        let (elements, reader) = try read(text, pieces: pieces)
        #expect(elements == [#"{"a":[1,{"b":"]}\""}]}"#, #""x""#, "-1.5e3", "[]", "null"])
        #expect(reader.hasList && reader.members["version"].map { String(decoding: $0, as: UTF8.self) } == "3")
        #expect(reader.members["count"].map { String(decoding: $0, as: UTF8.self) } == "2")
    }

    @Test("an empty list, and a document without the list")
    func nothing() throws {
        #expect(try read(#"{"entries":[]}"#, pieces: 4).elements.isEmpty)
        #expect(try !read(#"{"other":[1]}"#, pieces: 4).1.hasList)
        #expect(try !read("{}", pieces: 4).1.hasList)
    }

    @Test(
        "what is no such document is refused",
        arguments: [
            "", "[", "[]", "1", "{", "{,", #"{"entries""#, #"{"entries":"#, #"{"entries":["#, #"{"entries":[1"#, #"{"entries":[1,"#,
            #"{"entries":[,"#, #"{"entries":[1 2]}"#, #"{"entries":[1]"#, #"{"entries":[1],"#, #"{"entries":{}}"#, #"x{"entries":[1]}"#,
            #"{"entries":[1],"entries":{}}"#, #"{"entries":[1],"entries":[2]}"#, #"{"a" 1,"entries":[]}"#, #"{a:1,"entries":[]}"#,
            #"{"a":1 "entries":[]}"#,
            #"{"a":,"entries":[]}"#, #"{"entries":["unfinished]}"#, #"{"entries":[[[[[[[[[[1]]]]]]]]]]}"#, #"{"entries":[{"a":1]}"#,
            "{\u{FEFF}\"entries\":[1]}", "\u{FEFF}", "\u{FEFF}[1]", "\u{FEFF}\u{FEFF}{\"entries\":[1]}",
        ])
    func refused(text: String) {
        for pieces in [1, 1_000] { #expect(throws: (any Error).self) { _ = try read(text, pieces: pieces) } }
    }

    @Test(
        "a byte order mark, commas too many, members that come twice and what follows the document are forgiven",
        arguments: [
            ("\u{FEFF}{\"entries\":[1]}", ["1"]), ("\u{FEFF}\n {\"entries\":[1]}", ["1"]), (#"{"entries":[1,]}"#, ["1"]),
            (#"{"entries":[,1]}"#, ["1"]), (#"{"entries":[1, ,,2 ,]}"#, ["1", "2"]), (#"{"entries":[,]}"#, []), (#"{,"entries":[]}"#, []),
            (#"{"a":1,,"entries":[1],,}"#, ["1"]), (#"{"entries":[1]}x"#, ["1"]), (#"{"entries":[1]} {}"#, ["1"]),
            (#"{"entries":[1]},{"entries":[2]}"#, ["1"]),
            (#"{"a":1,"a":2,"entries":[]}"#, []),
        ] as [(String, [String])])
    func forgiven(text: String, elements: [String]) throws {
        for pieces in [1, 3, 1_000] {
            let (found, reader) = try read(text, pieces: pieces)
            #expect(found == elements && reader.hasList)
            // Of two the first counts.
            if let a = reader.members["a"] { #expect(a == Array("1".utf8)) }
        }
    }

    @Test("an element above its limit is passed, however it is cut, and those around it are read; one that just fits is read too")
    func limits() throws {
        let long = "\"],{" + String(repeating: "x", count: 95) + "\""
        let text = #"{"entries":[1,\#(long) , {"a":2},\#(long)],"count":4}"#
        for pieces in [1, 64, 1_000] {
            #expect(try read(text, pieces: pieces, maximumElement: 100).elements == ["1", long, #"{"a":2}"#, long])
            let (elements, reader) = try read(text, pieces: pieces, maximumElement: 99)
            #expect(elements == ["1", "too large", #"{"a":2}"#, "too large"] && reader.members["count"] == Array("4".utf8))
        }
    }

    @Test("a list that breaks off in an element above its limit is refused")
    func breaksOff() {
        let text = #"{"entries":[""# + String(repeating: "x", count: 200)
        #expect(throws: JSONParsingError.self) { _ = try read(text, pieces: 64, maximumElement: 99) }
    }

    @Test("an element with too many values is passed, signs in strings do not count")
    func values() throws {
        var reader = JSONListReader(list: "entries", maximumElement: 1_000, maximumValues: 4)
        var text = Array(#"{"entries":[[",,,,,,",1,2],[1,[2],3,4],5]}"#.utf8)
        let source = { () -> [UInt8] in
            defer { text = [] }
            return text
        }
        #expect(Self.text(try reader.next(source)) == #"[",,,,,,",1,2]"#)
        #expect(try reader.next(source) == .tooLarge)
        #expect(Self.text(try reader.next(source)) == "5")
    }

    @Test("a long member beside the list is passed and not kept")
    func longMember() throws {
        let long = String(repeating: "y", count: 300_000)
        let (elements, reader) = try read(#"{"a":"\#(long)","entries":[1]}"#, pieces: 4_096)
        #expect(elements == ["1"] && reader.members["a"] == [])
    }
}
