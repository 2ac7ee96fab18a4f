/// Units and signs, each by one word in all languages: `%`, `per cent`, `Prozent`.
enum MeasureWords {
    static func isUnit(_ key: String) -> Bool { units.contains(key) }

    /// Words for a part of one, where they are not read as part of a number: half an hour is not an hour.
    static func isFraction(_ key: String) -> Bool { fractions.contains(key) }

    private static let fractions: Set<String> = [
        "half", "quarter", "halb", "halbe", "halben", "halber", "halbes", "viertel", "anderthalb", "demi", "demie", "quart", "media",
        "medio",
        "mezza", "mezzo", "meia", "meio", "halve", "kwart", "полчаса", "половина", "半",
    ]

    /// The one word for a unit, a title or a sign.
    static func common(_ key: String) -> String { table[key] ?? key }

    /// What two words stand for together: "per cent" has no hundred in it, and "every one" no one.
    static func common(_ first: String, _ second: String) -> String? { pairs[first]?[second] }

    private static let pairs: [String: [String: String]] = [
        "per": ["cent": "%", "cento": "%"], "pour": ["cent": "%"], "por": ["ciento": "%", "cento": "%"],
        "every": ["one": "everyone"], "any": ["one": "anyone"], "some": ["one": "someone"],
    ]

    static func sign(_ scalar: Unicode.Scalar) -> String? { signs[scalar] }

    private static let signs: [Unicode.Scalar: String] = [
        "$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "%", "°": "degree", "&": "and", "+": "plus", "=": "equals", "@": "at",
    ]

    private static let groups = [
        "dollar dollars bucks buck dólar dólares dollari dollaro", "euro euros", "pound pounds pfund quid livres libras sterline",
        "yen 円 日元",
        "% percent prozent pourcent procent porcento", "degree degrees grad degrés degré grados gradi graus graden",
        "cent cents centimes céntimos centesimi cêntimos", "rappen", "franken francs",
        "km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros chilometro chilometri quilómetros quilômetros",
        "m meter meters metre metres mètre mètres metro metros metri",
        "cm centimeter centimeters zentimeter centimètres centímetros centimetri",
        "kg kilo kilos kilogram kilograms kilogramm chili chilo quilos", "g gram grams gramm grammes gramos grammi",
        "mg milligram milligrams milligramm milligrammes miligramos",
        "ml milliliter milliliters millilitres", "l liter liters litre litres litros litri",
        "h hour hours heure heures uhr oclock stunden stunde",
        "min minute minutes minuten minutos minuti", "pm", "am",
    ]

    private static let titles = [
        "dr doctor doktor docteur dottore doutor", "mr mister", "mrs missus", "sr señor senhor", "sra señora senhora", "mme madame",
        "etc etcetera", "and &",
    ]

    private static let units: Set<String> = Set(groups.compactMap { $0.split(separator: " ").first.map(String.init) }).subtracting(["am"])

    private static let table: [String: String] = {
        var table: [String: String] = [:]
        for group in groups + titles {
            let words = group.split(separator: " ").map { LetterFolding.fold(String($0)) }
            guard let first = words.first else { continue }
            for word in words { table[word] = first }
        }
        return table
    }()
}
