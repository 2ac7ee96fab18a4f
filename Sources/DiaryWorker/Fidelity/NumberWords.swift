/// Number words of one language, folded.
struct NumberWords: Sendable {
    /// 0 to 999.
    var values: [String: Int] = [:]
    var hundreds: Set<String> = []
    /// Zeros of thousand, million …
    var scales: [String: Int] = [:]
    /// May stand between the parts of a number.
    var connectors: Set<String> = []
    /// Before tens: `drei und zwanzig`.
    var reversing: String?
    var points: Set<String> = []
    /// `oh` between digits.
    var zeros: Set<String> = []
    var halves: [[String]] = []
    /// `et quart`, `menos cuarto`.
    var quarters: [[String]] = []
    var quartersLess: [[String]] = []
    /// `half past` three, `halb` four.
    var halfPast: [String] = []
    var halfTo: [String] = []
    var quarterPast: [[String]] = []
    var quarterTo: [[String]] = []
    /// French adds 10 to 19 to 60 and 80.
    var hasWideTens = false

    static func of(_ code: String) -> NumberWords { table[code] ?? none }

    private static let none = NumberWords()
    private static let table: [String: NumberWords] = [
        "en": english, "de": german, "fr": french, "es": spanish, "it": italian, "pt": portuguese, "nl": dutch, "ru": russian, "pl": polish,
    ]

    /// Values that count up from `from` by `step`, an entry for each; `/` parts forms of one.
    private static func count(_ words: String, from: Int, step: Int = 1) -> [String: Int] {
        var values: [String: Int] = [:]
        for (index, forms) in words.split(separator: " ").enumerated() {
            for form in forms.split(separator: "/") { values[LetterFolding.fold(String(form))] = from + index * step }
        }
        return values
    }

    private static func merged(_ tables: [String: Int]...) -> [String: Int] {
        tables.reduce(into: [:]) { all, table in all.merge(table) { first, _ in first } }
    }

    private static let english = NumberWords(
        values: merged(
            count(
                "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
                from: 0),
            count("twenty thirty forty/fourty fifty sixty seventy eighty ninety", from: 20, step: 10),
            count(
                "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
                from: 1),
            count(
                "twentieth/twenties thirtieth/thirties fortieth/forties fiftieth/fifties sixtieth/sixties seventieth/seventies eightieth/eighties ninetieth/nineties",
                from: 20, step: 10)),
        hundreds: ["hundred", "hundreds", "hundredth"],
        scales: ["thousand": 3, "thousandth": 3, "grand": 3, "million": 6, "billion": 9, "trillion": 12],
        connectors: ["and"], points: ["point"], zeros: ["oh", "o"], halves: [["and", "a", "half"]], halfPast: ["half", "past"],
        quarterPast: [["quarter", "past"]],
        quarterTo: [["quarter", "to"]])

    private static let german = NumberWords(
        values: merged(
            germanic(
                units: ["eins", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun"],
                teens: ["zehn", "elf", "zwolf", "dreizehn", "vierzehn", "funfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"],
                tens: ["zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"], one: "ein", and: "und",
                hundred: "hundert"),
            count("null", from: 0), count("zwo", from: 2),
            count("erste/ersten/erster/erstes zweite/zweiten/zweiter/zweites dritte/dritten/dritter/drittes", from: 1),
            count("siebte/siebten/siebter", from: 7)),
        hundreds: ["hundert"], scales: ["tausend": 3, "million": 6, "millionen": 6, "milliarde": 9, "milliarden": 9],
        connectors: ["und"], reversing: "und", points: ["komma"], halves: [["einhalb"], ["und", "ein", "halb"]], halfTo: ["halb"],
        quarterPast: [["viertel", "nach"]], quarterTo: [["viertel", "vor"]])

    private static let dutch = NumberWords(
        values: merged(
            germanic(
                units: ["een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen"],
                teens: ["tien", "elf", "twaalf", "dertien", "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien"],
                tens: ["twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"], one: "een", and: "en",
                hundred: "honderd"
            ).filter { $0.key != "een" },
            count("nul", from: 0)),
        hundreds: ["honderd"], scales: ["duizend": 3, "miljoen": 6, "miljard": 9], connectors: ["en"], reversing: "en", points: ["komma"],
        halfTo: ["half"], quarterPast: [["kwart", "over"]], quarterTo: [["kwart", "voor"]])

    private static let french = NumberWords(
        values: merged(
            count("zero", from: 0),
            count("deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize", from: 2),
            count("vingt/vingts trente quarante cinquante soixante septante octante/huitante nonante", from: 20, step: 10),
            count(
                "premier/premiere deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme onzieme douzieme treizieme quatorzieme quinzieme seizieme",
                from: 1),
            count("vingtieme trentieme quarantieme cinquantieme soixantieme", from: 20, step: 10)),
        hundreds: ["cent", "cents"], scales: ["mille": 3, "million": 6, "millions": 6, "milliard": 9, "milliards": 9], connectors: ["et"],
        points: ["virgule"], halves: [["et", "demi"], ["et", "demie"]],
        quarters: [["et", "quart"]], quartersLess: [["moins", "le", "quart"]], hasWideTens: true)

    private static let spanish = NumberWords(
        values: merged(
            count(
                "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
                from: 0),
            count(
                "veinte veintiuno/veintiun/veintiuna veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve",
                from: 20),
            count("treinta cuarenta cincuenta sesenta setenta ochenta noventa", from: 30, step: 10),
            count(
                "cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas",
                from: 100, step: 100),
            count("primero/primera/primer segundo/segunda tercero/tercera/tercer cuarto/cuarta quinto/quinta", from: 1)),
        scales: ["mil": 3, "millon": 6, "millones": 6], connectors: ["y"], points: ["coma"], halves: [["y", "media"], ["y", "medio"]],
        quarters: [["y", "cuarto"]], quartersLess: [["menos", "cuarto"]])

    private static let portuguese = NumberWords(
        values: merged(
            count("zero", from: 0),
            count(
                "dois/duas tres quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove",
                from: 2),
            count("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa", from: 20, step: 10),
            count(
                "cem/cento duzentos/duzentas trezentos/trezentas quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
                from: 100, step: 100),
            count("primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta", from: 1)),
        scales: ["mil": 3, "milhao": 6, "milhoes": 6], connectors: ["e"], points: ["virgula"], halves: [["e", "meia"], ["e", "meio"]])

    private static let italian: NumberWords = {
        let units = ["uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"]
        let teens = ["dieci", "undici", "dodici", "tredici", "quattordici", "quindici", "sedici", "diciassette", "diciotto", "diciannove"]
        let tens = ["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"]
        var below: [String: Int] = ["zero": 0]
        for (index, unit) in units.enumerated() { below[unit] = index + 1 }
        for (index, teen) in teens.enumerated() { below[teen] = 10 + index }
        for (index, ten) in tens.enumerated() {
            below[ten] = 20 + 10 * index
            for (unit, word) in units.enumerated() {
                let stem = word == "uno" || word == "otto" ? String(ten.dropLast()) : ten
                below[stem + word] = 21 + 10 * index + unit
                if word == "uno" { below[stem + "un"] = 21 + 10 * index }
            }
        }
        var values = below
        for (index, unit) in ([""] + units.dropFirst()).enumerated() {
            values[unit + "cento"] = 100 * (index + 1)
            for (word, value) in below where value > 0 {
                values[unit + "cento" + word] = 100 * (index + 1) + value
                if word.hasPrefix("o") { values[unit + "cent" + word] = 100 * (index + 1) + value }
            }
        }
        values.merge(count("primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta", from: 1)) { first, _ in first
        }
        return NumberWords(
            values: values, scales: ["mille": 3, "mila": 3, "milione": 6, "milioni": 6, "miliardo": 9, "miliardi": 9], connectors: ["e"],
            points: ["virgola"], halves: [["e", "mezza"], ["e", "mezzo"]], quarters: [["e", "un", "quarto"], ["e", "quarto"]],
            quartersLess: [["meno", "un", "quarto"]])
    }()

    private static let russian = NumberWords(
        values: merged(
            count(
                "ноль/нуль один/одна/одно/одного/одной два/две/двух три/трех четыре/четырех пять/пяти шесть/шести семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
                from: 0),
            count(
                "двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят семьдесят восемьдесят девяносто",
                from: 20, step: 10),
            count("сто/ста двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот", from: 100, step: 100),
            count("первый/первого/первое/первая второй/второго/второе/вторая третий/третьего/третье/третья", from: 1)),
        scales: ["тысяча": 3, "тысячи": 3, "тысяч": 3, "тысячу": 3, "миллион": 6, "миллиона": 6, "миллионов": 6])

    private static let polish = NumberWords(
        values: merged(
            count(
                "zero jeden/jedna/jedno dwa/dwie trzy cztery piec szesc siedem osiem dziewiec dziesiec jedenascie dwanascie trzynascie czternascie pietnascie szesnascie siedemnascie osiemnascie dziewietnascie",
                from: 0),
            count(
                "dwadziescia trzydziesci czterdziesci piecdziesiat szescdziesiat siedemdziesiat osiemdziesiat dziewiecdziesiat", from: 20,
                step: 10),
            count("sto dwiescie trzysta czterysta piecset szescset siedemset osiemset dziewiecset", from: 100, step: 100)),
        scales: ["tysiac": 3, "tysiace": 3, "tysiecy": 3, "milion": 6, "miliony": 6, "milionow": 6])

    /// `dreiundzwanzig`, `zweihundertfünf`, and ordinals in `te` and `ste`.
    private static func germanic(
        units: [String], teens: [String], tens: [String], one: String, and: String, hundred: String
    ) -> [String: Int] {
        var below: [String: Int] = [:]
        for (index, unit) in units.enumerated() { below[unit] = index + 1 }
        for (index, teen) in teens.enumerated() { below[teen] = 10 + index }
        for (index, ten) in tens.enumerated() {
            below[ten] = 20 + 10 * index
            for (unit, word) in units.enumerated() { below[(unit == 0 ? one : word) + and + ten] = 21 + 10 * index + unit }
        }
        var values = below
        for (word, value) in below where value > 2 && value != 3 && value != 7 {
            for ending in value < 20 ? ["te", "ten", "ter", "tes"] : ["ste", "sten", "ster", "stes"] { values[word + ending] = value }
        }
        // "achte" has one t.
        for ending in ["e", "en", "er", "es"] { values[units[7] + ending] = 8 }
        // Years too: neunzehnhundert.
        for (index, factor) in ([one] + units.dropFirst() + teens).enumerated() where index != 9 {
            for prefix in index == 0 ? [hundred, factor + hundred] : [factor + hundred] {
                if prefix != hundred { values[prefix] = 100 * (index + 1) }
                for (word, value) in below {
                    values[prefix + word] = 100 * (index + 1) + value
                    values[prefix + and + word] = 100 * (index + 1) + value
                }
            }
        }
        return values
    }

    /// The value below a thousand, and the zeros, of `zweitausend` or `duemila`, with what follows in the same word.
    func compound(_ word: String) -> Int? {
        guard word.utf8.count > 6 else { return nil }
        for (scale, zeros) in scales where zeros == 3 && scale != "mil" {
            guard let range = Self.range(of: scale, in: word) else { continue }
            let (before, after) = (String(word[..<range.lowerBound]), String(word[range.upperBound...]))
            guard !before.isEmpty || !after.isEmpty else { continue }
            let factor = before.isEmpty || before == "ein" ? 1 : values[before]
            let rest = after.isEmpty ? 0 : values[after] ?? (after.hasPrefix("und") ? values[String(after.dropFirst(3))] : nil)
            if let factor, let rest { return factor * 1_000 + rest }
        }
        return nil
    }

    private static func range(of part: String, in word: String) -> Range<String.Index>? {
        var start = word.startIndex
        while start < word.endIndex {
            if word[start...].hasPrefix(part) { return start..<word.index(start, offsetBy: part.count) }
            start = word.index(after: start)
        }
        return nil
    }
}
