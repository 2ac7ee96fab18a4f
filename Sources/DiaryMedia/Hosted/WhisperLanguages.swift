import DiaryCore

/// Whisper's names of languages (`LANGUAGES` and `TO_LANGUAGE_CODE` of github.com/openai/whisper, tokenizer.py) and BCP 47.
enum WhisperLanguages {
    private static let tags: [String: String] = [
        "english": "en", "chinese": "zh", "german": "de", "spanish": "es", "russian": "ru", "korean": "ko", "french": "fr",
        "japanese": "ja", "portuguese": "pt", "turkish": "tr", "polish": "pl", "catalan": "ca", "dutch": "nl", "arabic": "ar",
        "swedish": "sv", "italian": "it", "indonesian": "id", "hindi": "hi", "finnish": "fi", "vietnamese": "vi", "hebrew": "he",
        "ukrainian": "uk", "greek": "el", "malay": "ms", "czech": "cs", "romanian": "ro", "danish": "da", "hungarian": "hu",
        "tamil": "ta", "norwegian": "no", "thai": "th", "urdu": "ur", "croatian": "hr", "bulgarian": "bg", "lithuanian": "lt",
        "latin": "la", "maori": "mi", "malayalam": "ml", "welsh": "cy", "slovak": "sk", "telugu": "te", "persian": "fa",
        "latvian": "lv", "bengali": "bn", "serbian": "sr", "azerbaijani": "az", "slovenian": "sl", "kannada": "kn", "estonian": "et",
        "macedonian": "mk", "breton": "br", "basque": "eu", "icelandic": "is", "armenian": "hy", "nepali": "ne", "mongolian": "mn",
        "bosnian": "bs", "kazakh": "kk", "albanian": "sq", "swahili": "sw", "galician": "gl", "marathi": "mr", "punjabi": "pa",
        "sinhala": "si", "khmer": "km", "shona": "sn", "yoruba": "yo", "somali": "so", "afrikaans": "af", "occitan": "oc",
        "georgian": "ka", "belarusian": "be", "tajik": "tg", "sindhi": "sd", "gujarati": "gu", "amharic": "am", "yiddish": "yi",
        "lao": "lo", "uzbek": "uz", "faroese": "fo", "haitian creole": "ht", "pashto": "ps", "turkmen": "tk", "nynorsk": "nn",
        "maltese": "mt", "sanskrit": "sa", "luxembourgish": "lb", "myanmar": "my", "tibetan": "bo", "tagalog": "tl", "malagasy": "mg",
        "assamese": "as", "tatar": "tt", "hawaiian": "haw", "lingala": "ln", "hausa": "ha", "bashkir": "ba", "javanese": "jv",
        "sundanese": "su", "cantonese": "yue", "burmese": "my", "valencian": "ca", "flemish": "nl", "haitian": "ht",
        "letzeburgesch": "lb", "pushto": "ps", "panjabi": "pa", "moldavian": "ro", "moldovan": "ro", "sinhalese": "si",
        "castilian": "es", "mandarin": "zh",
    ]

    /// Codes of Whisper that are not the ones of BCP 47, and those of BCP 47 for which Whisper has another.
    private static let tagsOfCodes = ["jw": "jv", "iw": "he"]
    private static let codesOfTags = ["jv": "jw", "iw": "he", "nb": "no", "fil": "tl", "cmn": "zh"]

    /// - Parameter answer: `english`, `en` or `en-US`, in any case.
    /// - Returns: a primary language tag; nil for a language that cannot be named.
    static func tag(_ answer: String) -> String? {
        let name = answer.lowercased()
        if let tag = tags[name] { return tag }
        let code = SpeechLanguages.primary(name)
        guard (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else {
            return nil
        }
        return tagsOfCodes[code] ?? code
    }

    /// The code that is sent: ISO 639-1 where there is one.
    static func code(_ tag: String) -> String {
        let primary = SpeechLanguages.primary(tag)
        return codesOfTags[primary] ?? primary
    }

    /// Whether two tags name one language, whatever their regions.
    static func isSame(_ one: String, _ other: String) -> Bool { code(one) == code(other) }
}
