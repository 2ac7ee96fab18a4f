import DiaryCore

/// What the page of a schedule's mails says, in one language. `#` stands for the app's name.
struct UnsubscribePageWords: Sendable {
    var question: String
    var explanation: String
    var button: String
    var staysAsItIs: String
    var done: String
    var doneText: String
    /// In place of an app's name.
    var diary: String

    static func of(_ language: WrittenLanguage) -> UnsubscribePageWords {
        switch language {
        case .en: english
        case .de: german
        case .es: spanish
        case .fr: french
        }
    }

    func naming(_ app: String?, _ text: String) -> String { text.replacing("#", with: app ?? diary) }

    private static let english = UnsubscribePageWords(
        question: "Stop these mails?", explanation: "In #, an export is made for you again and again, and its link is mailed to you.",
        button: "Stop the mails",
        staysAsItIs: "The exports are still made; you find them in the app, where you can also turn the mails on again.",
        done: "These mails have stopped",
        doneText: "You get no more mails with links of this export of #. The exports are still made, and are in the app.",
        diary: "your diary")

    private static let german = UnsubscribePageWords(
        question: "Diese Mails beenden?",
        explanation: "In # wird immer wieder ein Export für dich gemacht, und du bekommst seinen Link mit einer Mail.",
        button: "Mails beenden",
        staysAsItIs: "Die Exporte werden weiter gemacht; du findest sie in der App und kannst die Mails dort auch wieder einschalten.",
        done: "Diese Mails sind beendet",
        doneText: "Du bekommst keine Mails mit Links zu diesem Export aus # mehr. Die Exporte werden weiter gemacht und sind in der App.",
        diary: "deinem Tagebuch")

    private static let spanish = UnsubscribePageWords(
        question: "¿Dejar de recibir estos correos?",
        explanation: "En # se hace una exportación para ti cada cierto tiempo, y recibes su enlace por correo.",
        button: "Dejar de recibirlos",
        staysAsItIs: "Las exportaciones se siguen haciendo; están en la aplicación, donde también puedes volver a activar los correos.",
        done: "Ya no recibirás estos correos",
        doneText:
            "No recibirás más correos con enlaces de esta exportación de #. Las exportaciones se siguen haciendo y están en la aplicación.",
        diary: "tu diario")

    private static let french = UnsubscribePageWords(
        question: "Ne plus recevoir ces messages\u{202F}?",
        explanation: "Dans #, un export est fait régulièrement pour vous, et son lien vous est envoyé.",
        button: "Ne plus les recevoir",
        staysAsItIs:
            "Les exports continuent d’être faits\u{202F}; vous les trouvez dans l’application, où vous pouvez aussi réactiver les messages.",
        done: "Vous ne recevrez plus ces messages",
        doneText:
            "Vous ne recevrez plus de messages avec des liens de cet export de #. Les exports continuent d’être faits et se trouvent dans l’application.",
        diary: "votre journal")
}
