import DiaryCore

/// What Whisper and models like it write over silence and music: closing credits of the films in their training data.
/// Lists: github.com/openai/whisper, discussions 679, 928 and 2608.
enum KnownCredits {
    enum Kind: Equatable {
        /// Names makers of subtitles; not said in a diary.
        case credit
        /// Takes leave of an audience; no speech behind a silence at the end of a recording, or when the engine doubts it.
        case outro
        /// May well be said; no speech only when the engine doubts it and heard nothing else.
        case courtesy
    }

    /// - Parameter text: of a whole segment.
    static func kind(of text: String) -> Kind? {
        let key = key(text)
        if outros.contains(key) { return .outro }
        if courtesies.contains(key) { return .courtesy }
        return credits.contains { key.hasPrefix($0) } && key.count <= 80 ? .credit : nil
    }

    /// Letters and digits only, so that marks and spaces do not matter.
    private static func key(_ text: String) -> String { WordKey.of(text) }

    /// The beginnings of segments of at most 80 letters.
    private static let credits: [String] = [
        "Subtitles by the Amara.org community", "Subtitles by Steamteamextra", "Subtitled by", "Transcription by CastingWords",
        "Transcript Emily Beynon", "Captions by GetTranscribed.com",
        "Untertitel der Amara.org-Community", "Untertitelung aufgrund der Amara.org-Community", "Untertitel im Auftrag des ZDF",
        "Untertitelung des ZDF", "Untertitelung im Auftrag des ZDF", "Untertitelung. BR", "Copyright WDR", "SWR 20",
        "Sous-titres réalisés par la communauté d'Amara.org", "Sous-titres réalisés para la communauté d'Amara.org",
        "Sous-titrage ST' 501", "Sous-titrage Société Radio-Canada", "Sous-titrage FR",
        "Subtítulos realizados por la comunidad de Amara.org", "Subtítulos por la comunidad de Amara.org",
        "Sottotitoli creati dalla comunità Amara.org", "Sottotitoli e revisione a cura di QTSS", "Sottotitoli a cura di QTSS",
        "Legendas pela comunidade Amara.org", "Legenda Adriana Zanotto",
        "Ondertitels ingediend door de Amara.org gemeenschap", "Ondertiteld door de Amara.org gemeenschap", "TV Gelderland 20",
        "Napisy stworzone przez społeczność Amara.org", "Napisy robione przez społeczność Amara.org",
        "Субтитры создавал DimaTorzok", "Субтитры сделал DimaTorzok", "Субтитры подготовил", "Редактор субтитров",
        "字幕由Amara.org社区提供", "字幕由 Amara.org 社群提供", "字幕志愿者", "請不吝點贊訂閱轉發打賞支持明鏡與點點欄目",
        "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
    ].map(key)

    private static let outros: Set<String> = Set(
        [
            "Thanks for watching", "Thank you for watching", "Thank you so much for watching", "Thanks for watching and see you next time",
            "Thanks for watching! Don't forget to like and subscribe", "Please subscribe to my channel", "Please like and subscribe",
            "Don't forget to subscribe", "See you in the next video", "I'll see you in the next one",
            "Danke fürs Zuschauen", "Vielen Dank fürs Zuschauen", "Abonniert meinen Kanal",
            "Merci d'avoir regardé cette vidéo", "Merci d'avoir regardé", "Abonnez-vous",
            "Gracias por ver el video", "Gracias por ver", "Suscríbete al canal", "No olvides suscribirte",
            "Grazie per la visione", "Grazie per aver guardato il video", "Obrigado por assistir", "Bedankt voor het kijken",
            "Dziękuję za oglądanie", "Продолжение следует", "Спасибо за просмотр", "Подписывайтесь на канал",
            "İzlediğiniz için teşekkür ederim",
            "ご視聴ありがとうございました", "最後までご視聴いただき、ありがとうございました", "チャンネル登録お願いします", "谢谢观看", "謝謝觀看", "感谢观看",
            "시청해주셔서 감사합니다", "구독과 좋아요 부탁드립니다", "شكرا على المشاهدة",
        ].map(key))

    private static let courtesies: Set<String> = Set(
        [
            "Thanks for listening", "Danke fürs Zuhören", "Bis zum nächsten Mal",
            "Thank you", "Thank you very much", "Thank you so much", "Thanks", "You", "Bye", "Bye bye", "Okay", "So", "The end",
            "Vielen Dank", "Danke", "Tschüss", "Merci", "Au revoir", "Gracias", "Adiós", "Grazie", "Obrigado", "Dank je wel", "Спасибо",
            "ありがとうございました", "谢谢", "감사합니다",
        ].map(key))
}
