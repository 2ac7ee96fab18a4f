/// Phrases that are looked for in the words of a text, as `FidelityTokenizer` writes keys: lower case, without accents.
struct KeyPhrases: Sendable {
    /// Phrases by their first word, so that the time grows with the text alone.
    private let phrases: [String: [[String]]]

    /// - Parameter list: with commas between.
    init(_ list: String) {
        phrases = Dictionary(grouping: list.split(separator: ",").map { $0.split(separator: " ").map(String.init) }) { $0.first ?? "" }
    }

    func occur(in keys: [String]) -> Bool {
        for (index, key) in keys.enumerated() {
            guard let candidates = phrases[key] else { continue }
            if candidates.contains(where: { keys[index...].starts(with: $0) }) { return true }
        }
        return false
    }
}

/// What language models say instead of an answer. Only names the reason of a refused text; it refuses none.
enum RefusalPhrases {
    static func occurs(in keys: [String]) -> Bool { phrases.occur(in: keys) }

    private static let phrases = KeyPhrases(
        """
        as an ai, as a language model, language model, ai assistant, i'm sorry but i, i am sorry but i, i apologize but, sorry but i can't, i can't help, i cannot help, i can't assist, \
        i cannot assist, i can't comply, i cannot comply, i cannot fulfill, i can't fulfill, i can't process, i cannot process, i'm unable to, i am unable to, i'm not able to, \
        i won't be able to, i cannot provide, i can't provide, against my guidelines, i can't do that, i must decline, als ki, als sprachmodell, ich kann dir dabei nicht, \
        ich kann ihnen dabei nicht, dabei kann ich nicht helfen, leider kann ich, tut mir leid aber, en tant qu'ia, en tant que modele, je suis desole mais, je suis desolee mais, desole mais je, \
        je ne peux pas vous aider, je ne peux pas t'aider, je ne peux pas repondre, como modelo de lenguaje, como ia, lo siento pero, lo siento no puedo, no puedo ayudarte, no puedo ayudar, \
        come modello, mi dispiace ma, non posso aiutarti, non posso aiutare, come ia, desculpe mas, nao posso ajudar, como um modelo, als taalmodel, het spijt me maar, \
        ik kan je daar niet, jako model, przepraszam ale nie, извините но я, я не могу помочь, как языковая модель
        """)
}

/// Whether a text gives orders to a language model. What a model makes of such a text besides the words themselves is not kept: no
/// comparison tells a title that describes them from one that they have asked for.
enum SpokenInstructions {
    static func occur(in keys: [String]) -> Bool {
        if phrases.occur(in: keys) { return true }
        guard keys.contains(where: { $0.unicodeScalars.first.map(ScriptUnits.contains) == true }) else { return false }
        let joined = keys.joined()
        return unspaced.contains { joined.contains($0) }
    }

    private static let phrases = KeyPhrases(
        """
        your instructions, your instruction, previous instructions, prior instructions, above instructions, earlier instructions, \
        the instructions above, your prompt, system prompt, your guidelines, your programming, developer mode, ignore everything, \
        ignore all, ignore the above, ignore previous, disregard everything, disregard all, disregard the above, forget everything, \
        deine anweisungen, deine anweisung, deinen anweisungen, vorherigen anweisungen, bisherigen anweisungen, alle anweisungen, \
        allen anweisungen, deinen prompt, systemprompt, ignoriere alles, tes instructions, vos instructions, \
        instructions precedentes, toutes les instructions, ignore tout, tus instrucciones, instrucciones anteriores, \
        todas las instrucciones, ignora todo, tue istruzioni, istruzioni precedenti, tutte le istruzioni, ignora tutto, \
        suas instrucoes, tuas instrucoes, instrucoes anteriores, todas as instrucoes, ignore tudo, je instructies, uw instructies, \
        jouw instructies, vorige instructies, eerdere instructies, alle instructies, negeer alles, swoje instrukcje, \
        twoje instrukcje, poprzednie instrukcje, wszystkie instrukcje, zignoruj wszystko, свои инструкции, твои инструкции, \
        предыдущие инструкции, все инструкции, dina instruktioner, tidigare instruktioner, all instructions given, \
        ignore all instructions, ignore any instructions, disregard your, ignore my previous, ignore these instructions, \
        vergiss deine, ignoriere deine, ignore tes, ignora tus, ignora le tue, ignore suas, negeer je, zignoruj swoje
        """)

    private static let unspaced = [
        "你的指令", "之前的指令", "以上指令", "所有指令", "系统提示", "忽略指令", "あなたの指示を", "以前の指示", "指示を無視", "プロンプト",
        "คำสั่งก่อนหน้า", "คำสั่งของคุณ",
    ]
}
