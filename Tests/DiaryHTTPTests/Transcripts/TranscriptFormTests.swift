import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("Forms of a transcript") struct TranscriptFormTests {
    private static let segments = [Spoken.segment("we swam --> far & <b>wide</b>", at: 0.42), Spoken.segment("done", at: 3_725.5)]

    @Test("SubRip counts its cues, ends its lines with CR LF, and has no arrow in a text")
    func subRip() {
        #expect(
            SubRipTranscript.text(Cue.cues(of: Self.segments))
                == "1\r\n00:00:00,420 --> 00:00:03,320\r\nwe swam -> far & <b>wide</b>\r\n\r\n2\r\n01:02:05,500 --> 01:02:06,300\r\ndone\r\n\r\n"
        )
        #expect(SubRipTranscript.text([]) == "")
        let long = SubRipTranscript.text(Cue.cues(of: [Spoken.segment("00:00:01,000 ---> 00:00:02,000", at: 1)]))
        #expect(long.contains("\r\n00:00:01,000 -> 00:00:02,000\r\n"), "\(long)")
    }

    @Test("WebVTT begins with its signature and escapes what it would interpret")
    func webVTT() {
        #expect(
            WebVTTTranscript.text(Cue.cues(of: Self.segments)) == """
                WEBVTT

                00:00:00.420 --> 00:00:03.320
                we swam --&gt; far &amp; &lt;b&gt;wide&lt;/b&gt;

                01:02:05.500 --> 01:02:06.300
                done

                """)
        #expect(WebVTTTranscript.text([]) == "WEBVTT\n")
    }

    @Test("Markdown has the title, the date as people write it, the tags and the text")
    func markdown() {
        let note = MarkdownTranscript.text(
            Spoken.transcript(title: "By the river", tags: ["river", "early walk"]), words: "We swam.\n\n- a")

        #expect(note == "# By the river\n\n4 July 2026, 09:30 (Berlin time)\n\nTags: river, early walk\n\nWe swam.\n\n- a\n")
        let american = Spoken.transcript(title: " \n", zone: "America/New_York", locale: "en-US")
        #expect(MarkdownTranscript.text(american, words: "") == "# July 4, 2026, 3:30 AM (New York time)\n")
    }

    @Test(
        "in a title or a tag nothing is markup",
        arguments: [
            ("*a* _b_ `c` ~~d~~", #"\*a\* \_b\_ \`c\` \~\~d\~\~"#), ("[a](http://b) ![c](d)", #"\[a\](http://b) !\[c\](d)"#),
            ("<b>&amp; | #", "\\<b\\>\\&amp; \\| \\#"), (#"a\*"#, #"a\\\*"#), ("a\n\n# b\r\n---\u{2028}c\u{0}d", "a \\# b --- c d"),
            ("été 👩‍👩‍👧‍👦", "été 👩‍👩‍👧‍👦"),
        ])
    func escapes(text: String, expected: String) {
        #expect(MarkdownTranscript.escaped(text) == expected)
    }

    @Test("the Meeting Recorder's form has its names, one speaker, and ids that stay")
    func meetingRecorder() throws {
        let spoken = [SpeechSegment(start: 0, end: 1, words: []), Spoken.segment("we swam", at: 1.5)].numbered
        func rendered(_ entry: EntryID) -> String {
            String(decoding: JSONWriter.object { MeetingRecorderTranscript.write(entry, spoken, to: &$0) }, as: UTF8.self)
        }

        let id = try #require(MeetingRecorderTranscript.id(of: 1, in: Spoken.id))

        #expect(
            rendered(Spoken.id)
                == #"{"version":"1.0","segments":[{"id":"\#(id.lowercaseText)","text":"we swam","timestamp":1.5,"duration":0.9,"confidence":0.9,"speakerID":"speaker-1","isEdited":false}]}"#
        )
        #expect(rendered(Spoken.id) == rendered(Spoken.id) && rendered(Spoken.id) != rendered(EntryID(UUID())))
        #expect(id.octets[6] >> 4 == 8 && id.octets[8] >> 6 == 2)
        #expect(MeetingRecorderTranscript.id(of: 0, in: Spoken.id) != id)
    }

    @Test("speakers of the Meeting Recorder's form are counted as they first speak, and those without words are not")
    func meetingSpeakers() {
        var segments = [Spoken.segment("one"), Spoken.segment("two", at: 2), Spoken.segment("three", at: 4), Spoken.segment("", at: 6)]
        (segments[0].speaker, segments[1].speaker, segments[3].speaker) = ("B", nil, "C")
        segments[2].editedSpeaker = "B"
        let speakers = MeetingSpeakers(segments)

        #expect(speakers.labels == ["B", nil])
        #expect(segments.prefix(3).map { speakers.id(of: $0.shownSpeaker) } == ["speaker-1", "speaker-2", "speaker-1"])
    }

    @Test("numbers that are none do not get into the Meeting Recorder's form")
    func wildNumbers() {
        let segment = SpeechSegment(start: .nan, end: .infinity, words: [TimedWord(text: "a", start: 0, end: 0, confidence: .nan)])
        let backwards = SpeechSegment(start: 3, end: 1, words: [TimedWord(text: "a", start: 3, end: 1, confidence: 7)])

        let text = String(
            decoding: JSONWriter.object { MeetingRecorderTranscript.write(Spoken.id, [segment, backwards], to: &$0) }, as: UTF8.self)

        let zero = "\(Self.number(0))"
        #expect(text.contains(#""timestamp":\#(zero),"duration":\#(zero),"confidence":\#(zero)"#))
        #expect(text.contains(#""timestamp":\#(Self.number(3)),"duration":\#(zero),"confidence":\#(Self.number(1))"#))
    }

    /// As JSON writes it.
    private static func number(_ value: Double) -> String {
        String(String(decoding: JSONWriter.object { $0.member("a", value) }, as: UTF8.self).dropFirst(5).dropLast())
    }

    @Test("a layer is that text, and the one to show is the first that there is")
    func layers() {
        var transcript = Spoken.transcript()
        func texts() -> [String?] { TranscriptLayer.allCases.map { $0.text(of: transcript) } }

        #expect(texts() == ["um we swam", "We swam.", nil, nil, "We swam."])
        transcript.entry.personal.edited = "We swam far."
        #expect(texts() == ["um we swam", "We swam.", "We swam far.", nil, "We swam far."])
    }

    @Test("of the corrected layer each segment is one line, whatever breaks lines in it; one of blanks alone has none")
    func correctedLines() {
        var segments = [Spoken.segment("um"), Spoken.segment("no", at: 2), Spoken.segment("we swam", at: 4)]
        segments[0].editedText = " We rowed\r\n\nfar,\u{2028}and\u{2029}swam\u{85}\u{0B}home.\n"
        segments[1].editedText = " \n "

        #expect(TranscriptLayer.corrected.text(of: Spoken.transcript(segments)) == "We rowed far, and swam home.\nwe swam")
    }
}
