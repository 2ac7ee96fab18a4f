/// Paths of the acoustic model, language model and dictionary. The default is Debian's `pocketsphinx-en-us`.
package struct PocketSphinxModel: Sendable {
    package var acoustic: String
    package var language: String
    package var dictionary: String

    package init(
        acoustic: String = "/usr/share/pocketsphinx/model/en-us/en-us",
        language: String = "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin",
        dictionary: String = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"
    ) {
        self.acoustic = acoustic
        self.language = language
        self.dictionary = dictionary
    }

    var arguments: [String] { ["-hmm", acoustic, "-lm", language, "-dict", dictionary] }
}
