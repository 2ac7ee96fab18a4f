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
