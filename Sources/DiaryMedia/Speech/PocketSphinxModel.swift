/// Paths of the acoustic model, language model and dictionary. The default is Debian's `pocketsphinx-en-us`.
package struct PocketSphinxModel: Sendable {
    package var acoustic: String = "/usr/share/pocketsphinx/model/en-us/en-us"
    package var language: String = "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin"
    package var dictionary: String = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

    var arguments: [String] { ["-hmm", acoustic, "-lm", language, "-dict", dictionary] }
}
