/// "you know", "I mean" and "like" where they mean nothing. In doubt they stay.
enum EnglishFillers {
    /// The number of words of the filler that begins here.
    static func length(_ tokens: [CleaningToken], at index: Int) -> Int? {
        switch (tokens.key(index), tokens.key(index + 1)) {
        case ("you", "know") where isFillerYouKnow(tokens, at: index): 2
        case ("i", "mean") where isFillerIMean(tokens, at: index): 2
        case ("like", _) where isFillerLike(tokens, at: index): 1
        default: nil
        }
    }

    // MARK: you know

    /// After these words "you know" is a clause: "do you know", "as you know", "the people you know".
    private static let asksYouKnow: Set<String> = [
        "do", "did", "does", "don't", "didn't", "would", "wouldn't", "should", "could", "can", "will", "might", "may", "must", "how",
        "what", "who", "where", "when",
        "why", "which", "if", "that", "as", "than", "let", "lets", "because", "before", "until", "once", "unless", "whether", "since",
        "though", "all", "everything",
        "everyone", "everybody", "anyone", "anybody", "anything", "someone", "somebody", "something", "people", "person", "things", "thing",
        "one", "ones", "hope",
        "think", "thought", "wish", "sure", "make", "made", "want", "wanted", "say", "said", "thank", "love", "tell",
    ]
    /// Words that can be the object of "know".
    private static let known: Set<String> = [
        "what", "that", "how", "who", "whom", "where", "when", "why", "which", "if", "whether", "about", "him", "her", "them", "me", "us",
        "it", "of", "better", "best",
        "everything", "everyone", "nothing", "nobody", "anything", "anyone", "something", "someone", "enough", "well", "more", "each",
        "exactly", "already", "your",
        "my", "his", "our", "their", "for", "by", "to",
    ]

    private static func isFillerYouKnow(_ tokens: [CleaningToken], at index: Int) -> Bool {
        if tokens[index].endsClause { return false }
        let opens = tokens.opensClause(index)
        if !opens, let before = tokens.key(index - 1), asksYouKnow.contains(before) { return false }
        if tokens[index + 1].endsClause { return !tokens[index + 1].trailing.contains("?") }
        guard let after = tokens.key(index + 2) else { return !opens }
        // "you know, my brother came": a filler only between two breaths.
        if known.contains(after) {
            return tokens.pause(index) >= CleaningPauses.breath && tokens.pause(index + 2) >= CleaningPauses.breath
                && !objects.contains(after)
        }
        return true
    }

    /// Words of `known` that make "you know" a statement even after a breath.
    private static let objects: Set<String> = [
        "what", "that", "how", "who", "whom", "him", "them", "me", "us", "of", "better", "best", "each",
    ]

    // MARK: I mean

    private static func isFillerIMean(_ tokens: [CleaningToken], at index: Int) -> Bool {
        guard tokens.opensClause(index) || tokens.key(index - 1).map(conjunctions.contains) == true else { return false }
        if tokens[index + 1].trailing == "," { return true }
        // Subject forms only: "I mean it" and "I mean you" are statements.
        guard let after = tokens.key(index + 2), tokens[index + 1].trailing.isEmpty else { return false }
        return ["i", "i'm", "i've", "i'd", "we", "he", "she", "they", "we're", "he's", "she's", "they're", "it's", "that's", "there's"]
            .contains(after)
    }

    // MARK: like

    private static let conjunctions: Set<String> = ["and", "but", "so", "because", "or", "then", "well", "'cause"]
    private static let subjects: Set<String> = [
        "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "we've", "we'd", "we'll", "he", "he's", "he'd", "he'll", "she", "she's", "she'd",
        "she'll", "they", "they're",
        "they'd", "they'll", "you", "you're", "it", "it's", "there", "there's", "everyone", "everybody", "nobody", "suddenly",
    ]
    /// "like I said", "like we had planned" are comparisons.
    private static let reports: Set<String> = [
        "said", "say", "says", "mentioned", "told", "promised", "thought", "expected", "wrote", "always", "used", "do", "did", "does",
        "never", "wanted", "hoped",
        "planned", "feared", "agreed", "ever", "before",
    ]
    private static let auxiliaries: Set<String> = ["am", "was", "were", "had", "have", "has", "is", "are"]
    private static let be: Set<String> = [
        "is", "was", "are", "were", "am", "be", "been", "it's", "that's", "i'm", "he's", "she's", "we're", "they're", "there's", "isn't",
        "wasn't",
    ]
    private static let degrees: Set<String> = [
        "really", "so", "very", "totally", "super", "completely", "pretty", "extremely", "incredibly", "absolutely", "kinda", "literally",
    ]
    /// After these words "like" is a verb or a comparison, with or without a breath.
    private static let governs: Set<String> = [
        "i", "you", "we", "they", "he", "she", "it", "who", "would", "i'd", "we'd", "you'd", "they'd", "he'd", "she'd", "will", "i'll",
        "you'll", "to", "don't", "didn't", "doesn't",
        "do", "did", "does", "might", "may", "should", "could", "can", "can't", "not", "look", "looks", "looked", "looking", "feel",
        "feels", "felt", "feeling", "sound", "sounds",
        "sounded", "sounding", "seem", "seems", "seemed", "smell", "smells", "smelled", "smelt", "taste", "tastes", "tasted", "act", "acts",
        "acted", "acting", "something",
        "anything", "nothing", "things", "stuff", "people", "someone", "exactly", "just", "more", "much", "what", "really", "always",
        "also", "never", "still", "even",
        "kids", "children", "parents", "friends", "quite", "rather", "bit", "little", "lot",
    ]

    private static func isFillerLike(_ tokens: [CleaningToken], at index: Int) -> Bool {
        let token = tokens[index]
        guard let after = tokens.key(index + 1), !token.endsSentence else { return false }
        let before = index > 0 && !tokens.opensClause(index) ? tokens.key(index - 1) : nil
        let followsConjunction = index > 0 && tokens.key(index - 1).map(conjunctions.contains) == true
        // Written between commas by the recogniser.
        if token.trailing == ",", index > 0, tokens[index - 1].trailing == "," || followsConjunction { return true }
        // "and like I just sat there", "like we were so tired"; not "like I said".
        if before == nil || followsConjunction, subjects.contains(after) {
            return !comparesClause(tokens, from: index + 2)
        }
        if followsConjunction, degrees.contains(after) || ["then", "maybe", "suddenly", "finally", "actually"].contains(after) {
            return true
        }
        // "it was like really cold".
        if let before, be.contains(before), degrees.contains(after) { return true }
        // A breath on both sides, and no verb that takes "like".
        guard let before, !governs.contains(before), !be.contains(before) else { return false }
        return tokens.pause(index) >= CleaningPauses.breath && tokens.pause(index + 1) >= CleaningPauses.breath
            && !comparisons.contains(after)
    }

    /// True when the words after the subject make "like" mean "as", or when there are none.
    private static func comparesClause(_ tokens: [CleaningToken], from index: Int) -> Bool {
        guard let verb = tokens.key(index) else { return true }
        return reports.contains(verb) || (auxiliaries.contains(verb) && tokens.key(index + 1).map(reports.contains) ?? true)
    }

    private static let comparisons: Set<String> = [
        "a", "an", "the", "my", "his", "her", "our", "their", "your", "this", "that", "these", "those", "it", "him", "them", "me", "us",
        "in", "when", "always", "before",
    ]
}
