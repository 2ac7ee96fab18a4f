import DiaryCore
import TestSupport
import Testing

@testable import DiaryMedia

@Suite("The rules cleaner")
struct RulesCleanerTests {
    /// `/` is a breath of 0.2 s, `//` a pause of 0.7 s, `///` one of 2.5 s, `|` a new segment after 0.35 s.
    private func transcript(_ notation: String, language: String = "en") -> RawTranscript {
        var segments: [SpeechSegment] = []
        var words: [TimedWord] = []
        var now = 0.0
        func close() {
            if let first = words.first, let last = words.last {
                segments.append(SpeechSegment(start: first.start, end: last.end, words: words))
            }
            words = []
        }
        for part in notation.split(separator: " ") {
            switch part {
            case "/": now += 0.2
            case "//": close(); now += 0.7
            case "///": close(); now += 2.5
            case "|": close(); now += 0.35
            default:
                words.append(TimedWord(text: String(part), start: now, end: now + 0.3, confidence: 0.9))
                now += 0.31
            }
        }
        close()
        return RawTranscript(language: language, segments: segments)
    }

    @Test(
        "cleans English",
        arguments: [
            // hesitation sounds
            ("um i went home", "I went home."),
            ("i uh went er home hmm", "I went home."),
            ("she works in the ER", "She works in the ER."),
            ("Um, I was late.", "I was late."),
            ("the uh the dog barked", "The dog barked."),
            // you know
            ("it was you know a quiet morning", "It was a quiet morning."),
            ("you know i was tired", "I was tired."),
            ("and then you know we left", "And then we left."),
            ("it was nice you know", "It was nice."),
            ("It was, you know, a quiet morning.", "It was a quiet morning."),
            ("do you know the way", "Do you know the way."),
            ("as you know we moved", "As you know we moved."),
            ("i hope you know that i care", "I hope you know that I care."),
            ("you know what happened", "You know what happened."),
            ("you know him well", "You know him well."),
            ("everything you know is here", "Everything you know is here."),
            ("so / you know / my brother came", "So my brother came."),
            ("Did you know?", "Did you know?"),
            // i mean
            ("i mean we were late", "We were late."),
            ("but i mean he was kind", "But he was kind."),
            ("i mean it", "I mean it."),
            ("you see what i mean", "You see what I mean."),
            // like, taken out
            ("and like i just sat there", "And I just sat there."),
            ("but like we had no time", "But we had no time."),
            ("like he just left", "He just left."),
            ("it was like really cold", "It was really cold."),
            ("and like i was walking home", "And I was walking home."),
            ("And, like, I just sat there.", "And I just sat there."),
            ("we walked / like / through town", "We walked through town."),
            // like, staying
            ("i like coffee", "I like coffee."),
            ("i / like / coffee", "I like coffee."),
            ("it looks like rain", "It looks like rain."),
            ("he ran like a horse", "He ran like a horse."),
            ("it felt like home", "It felt like home."),
            ("i would like to sleep", "I would like to sleep."),
            ("like i said it was cold", "Like I said it was cold."),
            ("and like i said we left", "And like I said we left."),
            ("like we had planned it was quiet", "Like we had planned it was quiet."),
            ("she sings like her mother", "She sings like her mother."),
            ("it was like a dream", "It was like a dream."),
            ("what was it like", "What was it like."),
            ("people like him", "People like him."),
            ("the children like to swim", "The children like to swim."),
            ("it took like ten minutes", "It took like ten minutes."),
            ("just like that", "Just like that."),
            ("days like these", "Days like these."),
            ("and like him i left", "And like him I left."),
            // doubled words
            ("the the dog", "The dog."),
            ("i was i was late", "I was late."),
            ("we walked / walked home", "We walked home."),
            ("it was very very good", "It was very very good."),
            ("i know that that is so", "I know that that is so."),
            ("he had had enough", "He had had enough."),
            ("no no not today", "No no not today."),
            ("we sang la la la", "We sang la la la."),
            ("we went to bora bora", "We went to bora bora."),
            // capitals
            ("on monday i'm free", "On Monday I'm free."),
            ("we met in may", "We met in May."),
            ("we may go in march", "We may go in March."),
            ("the soldiers march by", "The soldiers march by."),
            ("last july and every friday's lunch", "Last July and every Friday's lunch."),
            // sentences and paragraphs
            ("i slept // then i ate", "I slept. Then I ate."),
            ("i slept /// then i ate", "I slept.\n\nThen I ate."),
            ("i went to // the shop", "I went to the shop."),
            ("i slept | then i ate", "I slept, then I ate."),
            ("i slept / then i ate", "I slept then I ate."),
            ("I slept well. then i ate // fish.", "I slept well. then i ate fish."),
        ])
    func english(_ heard: String, _ expected: String) async throws {
        #expect(try await RulesCleaner().clean(transcript(heard)) == expected)
    }

    @Test(
        "leaves the words of other languages alone",
        arguments: [
            ("de", "um acht uhr // am see", "um acht uhr. am see."),
            ("fr", "il  est   tard", "il est tard."),
            ("ja", "今日 // 雨", "今日。 雨。"),
            ("th", "สวัสดี // ครับ", "สวัสดี ครับ"),
            ("de", "Guten Tag. // Bis bald.", "Guten Tag. Bis bald."),
        ])
    func otherLanguages(_ language: String, _ heard: String, _ expected: String) async throws {
        #expect(try await RulesCleaner().clean(transcript(heard, language: language)) == expected)
    }

    @Test(
        "punctuation and capitals of the recogniser stay as they are",
        arguments: [
            ("en", "We met Dr. Miller, e.g. today, at 3.5 km… maybe. | so // it was."),
            ("en", "She left at 5 p.m. on monday. i waited."),
            ("en", "It rained 5 mm. (The lake was full.)"),
            ("de", "Wir fahren z.B. morgen, d.h. am 3. Mai. | dann // sehen wir weiter…"),
            ("fr", "Tu viens ? | Oui, à 8 h. « Peut-être », dit-il. // c'est tout."),
            ("es", "¿Vienes hoy? Sí, a las 3.5. | luego // vemos al Sr. López."),
            ("it", "Vedo il dott. Rossi, p.es. domani. | poi // andiamo!"),
            ("pt", "Falei com o Sr. Silva… | depois // fomos. Às 3.5 horas."),
        ])
    func punctuated(_ language: String, _ heard: String) async throws {
        let raw = transcript(heard, language: language)

        #expect(try await RulesCleaner().clean(raw) == raw.text.replacing("\n", with: " "))
    }

    @Test("a pause of two seconds begins a paragraph in a punctuated text, and makes no capital")
    func punctuatedParagraph() async throws {
        let heard = "Wir gingen heim. /// Ähm, dann /// schlief Anna."

        #expect(try await RulesCleaner().clean(transcript(heard, language: "de")) == "Wir gingen heim.\n\nDann\n\nschlief Anna.")
    }

    @Test(
        "a sound goes with its commas, and its capital passes on at the start of a sentence",
        arguments: [
            ("en", "Um, uh, we went, um, home, hmm.", "We went home."),
            ("en", "He said: \"Um, we left, uh.\" Erm... Then I slept.", "He said: \"We left.\" Then I slept."),
            ("en", "No, um, we swam, uh, but it rained.", "No, we swam, but it rained."),
            ("en", "It was, um, like, cold – uh – outside. The, uh, the shop was shut.", "It was cold – outside. The shop was shut."),
            ("de-AT", "Ähm, wir gingen, äh, nach Hause. Öhm, dann, hm, schlief ich.", "Wir gingen nach Hause. Dann schlief ich."),
            ("de", "Also, ähm, wir gingen, äh, weil es regnete.", "Also, wir gingen, weil es regnete."),
            ("de", "Ich sah Dr. äh Müller, z.B. ähm gestern.", "Ich sah Dr. Müller, z.B. gestern."),
            ("fr-CA", "Euh, l'école était, euh, fermée. Tu viens, euh ?", "L'école était fermée. Tu viens ?"),
            ("es", "Ehm, fuimos, eh, a la playa. ¿Eh, vienes?", "Fuimos a la playa. ¿Vienes?"),
            ("it", "Eh, niente, ehm, cioè, sono uscito.", "Niente, sono uscito."),
            ("it", "Ehm, siamo andati, eh, al mare.", "Siamo andati al mare."),
            ("pt_BR", "Hum, fomos, ahn, à praia.", "Fomos à praia."),
        ])
    func sounds(_ language: String, _ heard: String, _ expected: String) async throws {
        #expect(try await RulesCleaner().clean(transcript(heard, language: language)) == expected)
    }

    @Test(
        "a phrase goes where commas or pauses set it apart",
        arguments: [
            ("en", "I mean, he left. You know, it was, like, cold.", "He left. It was cold."),
            ("de", "Er war, sozusagen, der Chef.", "Er war der Chef."),
            ("fr", "Tu vois, c'était, tu sais, étrange.", "C'était étrange."),
            ("es", "Pues, no fui, o sea, no quería.", "No fui, no quería."),
            ("it", "Cioè, era, diciamo, strano.", "Era strano."),
            ("pt", "Foi, tipo, incrível, né.", "Foi incrível."),
            ("es", "no fui // o sea // no quería", "no fui. no quería."),
        ])
    func phrases(_ language: String, _ heard: String, _ expected: String) async throws {
        #expect(try await RulesCleaner().clean(transcript(heard, language: language)) == expected)
    }

    @Test(
        "a word that is a filler elsewhere, or not set apart, stays",
        arguments: [
            ("en", "Do | you know him? It | looks // like // rain."),
            ("en", "Ah! \"Um,\" she said."),
            ("en", "The ER closed, and we had a few mm of rain."),
            ("de", "Er ging um acht, halt, eh allein. Mhm. Das ist sozusagen alles."),
            ("de", "Weißt du, wo er ist?"),
            ("fr", "Ah, eh bien, c'est quoi, ça ? Tu vois la mer."),
            ("es", "Este, sin embargo, no vino, pues llovía. ¿Eh? Me gusta este."),
            ("it", "Eh! Il tipo, cioè mio zio, era lì. Sì, eh?"),
            ("pt", "Um dia, um tipo, uma rua. Em casa, é bom."),
            ("nl", "Eh, um, euh, ik ging."),
        ])
    func lookAlikes(_ language: String, _ heard: String) async throws {
        let raw = transcript(heard, language: language)

        #expect(try await RulesCleaner().clean(raw) == raw.text.replacing("\n", with: " "))
    }

    @Test(
        "a function word that was said twice is written once",
        arguments: [
            ("en", "We went to the, the shop. It, it was late.", "We went to the shop. It was late."),
            ("en", "We left, and then I was, I was tired.", "We left, and then I was, I was tired."),
            ("en", "We left. I was, I was tired.", "We left. I was tired."),
            ("de", "Ich, ich ging im im Wald.", "Ich ging im Wald."),
            ("fr", "Je je parlais de de toi.", "Je parlais de toi."),
            ("es", "Yo yo vengo de de casa.", "Yo vengo de casa."),
            ("it", "Io, io vengo del del mare.", "Io vengo del mare."),
            ("pt", "Eu, eu gosto de, de café.", "Eu gosto de café."),
        ])
    func doubled(_ language: String, _ heard: String, _ expected: String) async throws {
        #expect(try await RulesCleaner().clean(transcript(heard, language: language)) == expected)
    }

    @Test(
        "words that are doubled rightly stay",
        arguments: [
            ("en", "I saw it, it was cold. That's what it was, it was late."),
            ("de", "Hier kann ich ich sein. Die, die die Frau sah, sagt, dass das das Haus ist. Sie sieht sie sie suchen."),
            ("fr", "Nous nous voyons, vous vous voyez. On parle de De Gaulle."),
            ("es", "A cada una una rosa. No no, sí sí."),
            ("it", "Sì sì, si si vede che che sia."),
            ("pt", "A cada um um presente. Não não."),
        ])
    func rightlyDoubled(_ language: String, _ heard: String) async throws {
        #expect(try await RulesCleaner().clean(transcript(heard, language: language)) == heard)
    }

    @Test("A12: a text of fillers alone is returned as it was heard, silence as an empty text")
    func empty() async throws {
        #expect(try await RulesCleaner().clean(transcript("um uh")) == "um uh")
        #expect(try await RulesCleaner().clean(RawTranscript(language: "en", segments: [])) == "")
    }

    @Test("a corrected sentence with a full stop leaves the ends of the others to their pauses")
    func corrected() async throws {
        let heard = "we went to the lake and the water was cold // then my sister came with her dog and a friend //"
        let rest = "we ate bread with cheese and looked at the boats // in the evening it rained so that we took the bus home"

        let clean = try await RulesCleaner().clean(transcript("\(heard) We walked along the river. // \(rest)"))

        #expect(
            clean == """
                We went to the lake and the water was cold. Then my sister came with her dog and a friend. We walked along the river. \
                We ate bread with cheese and looked at the boats. In the evening it rained so that we took the bus home.
                """)
    }

    @Test("A12: extreme times and unusual words are handled, and no word is added")
    func wild() async throws {
        var random = SplitMix64(seed: 7)
        let vocabulary = [
            "like", "you", "know", "i", "mean", "um", "the", "was", "", " ", "...", "a b", "like,", "İ", "é", "—", "and", "may",
        ]
        for _ in 0..<500 {
            let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                TimedWord(
                    text: vocabulary.randomElement(using: &random) ?? "",
                    start: [0, -1, .nan, .infinity, 3, 1e300].randomElement(using: &random) ?? 0,
                    end: [0, -1, .nan, -.infinity, 4].randomElement(using: &random) ?? 0, confidence: 0)
            }
            let raw = RawTranscript(language: "en", segments: [SpeechSegment(start: 0, end: 0, words: words)])

            let clean = try await RulesCleaner().clean(raw)

            #expect(letters(clean) <= letters(raw.text))
        }
    }

    private func letters(_ text: String) -> Int { text.filter(\.isLetter).count }
}
