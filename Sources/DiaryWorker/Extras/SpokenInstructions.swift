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
