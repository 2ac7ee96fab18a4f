import Testing

@testable import DiaryCore

@Suite("Words of the languages that the service writes")
struct WordsTests {
    @Test("every language has every mail, and the texts of English", arguments: WrittenLanguage.allCases)
    func complete(language: WrittenLanguage) {
        let (file, english) = (LanguageFile.of(language), LanguageFile.of(.en))

        #expect(Set(file.mails.keys) == Set(MailKind.allCases.map(\.rawValue)))
        #expect(file.sections.mapValues { Set($0.keys) } == english.sections.mapValues { Set($0.keys) })
        #expect(file.sections.values.allSatisfy { $0.values.allSatisfy { !$0.isEmpty } })
        #expect(Words<DateWord>(language).list(.months).count == 12)
    }

    @Test("numbers, dates and Markdown have the texts that they are written with")
    func keys() {
        let sections = LanguageFile.of(.en).sections

        #expect(Set(sections[NumberWord.section, default: [:]].keys) == Set(NumberWord.allCases.map(\.rawValue)))
        #expect(Set(sections[DateWord.section, default: [:]].keys) == Set(DateWord.allCases.map(\.rawValue)))
        #expect(Set(sections[MarkdownWord.section, default: [:]].keys) == Set(MarkdownWord.allCases.map(\.rawValue)))
    }

    @Test("a text is what stands behind the first colon; a line without one, as of a text in two lines, is a key that no section has")
    func form() {
        let file = LanguageFile("[a page]\nspace: \u{202F}\nmood: Mood:\nand more\n\n[mail x]\nSubject: a\n\nb [c]\n\nd\n\n[b]\none: 1 | 2")

        #expect(file.sections == ["a page": ["space": "\u{202F}", "mood": "Mood:", "and more": ""], "b": ["one": "1 | 2"]])
        #expect(file.mails == ["x": "Subject: a\n\nb [c]\n\nd"])
    }
}
