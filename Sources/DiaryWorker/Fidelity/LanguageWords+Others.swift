extension LanguageWords {
    static let polish = LanguageWords(
        "pl",
        sounds: "yyy eee hm hmm mm eh ehm yy ee",
        fillers:
            "no, no więc, więc, wiesz, znaczy, to znaczy, jakby, tak jakby, w sumie, po prostu, właściwie, prawda, no tak, tak, takie, no i, dobra, okej, ok, prostě, vlastně, jako, takže",
        repairs: "nie czekaj, czekaj, przepraszam, to znaczy, raczej, a nie",
        neutral: "jest są był była było być w we na z ze do o i a że to się je jsem a v na se si že",
        light:
            "ale lub albo bo też także już jeszcze bardzo tak potem wtedy teraz tu tutaj tam dla od po przy jak gdy kiedy gdzie co czy może tylko",
        negations: "nie nigdy nic nikt nikogo żaden żadna żadne żadnego bez ani nikomu ne není nikdy nikdo žádný",
        variants: "okej=ok, procent=%, pan=pan",
        endings: "a e i y u o ą ę em am om ie ów ach ami ego emu ej ych ym m my ł ła li ły ć")

    static let russian = LanguageWords(
        "ru",
        sounds: "э ээ эээ эм мм ммм хм гм эх",
        fillers:
            "ну, вот, ну вот, как бы, типа, короче, значит, в общем, это, это самое, так сказать, знаешь, понимаешь, то есть, да, ладно, просто, как его, вообще, слушай, собственно, так, ну да, ну типа, так вот",
        repairs: "нет подожди, подожди, точнее, вернее, то есть, извини, ой",
        neutral: "в во на с со к ко и а что это был была было были есть у о об я",
        light: "но или потому тоже уже ещё очень так потом тогда сейчас тут там здесь для от по из как когда где если же ли бы вот ну да",
        negations: "не нет ни никогда ничего ничто никто никого никому нигде без нельзя невозможно нету",
        variants:
            "щас=сейчас, чё=что, чо=что, ща=сейчас, грит=говорит, тыща=тысяча, здрасте=здравствуйте, нету=нет, процентов процента процент=%",
        endings:
            "а я о е и ы у ю й ь ть ой ей ом ем ам ям ах ях ов ев ами ями ого его ому ему ый ий ая яя ое ее ые ие ых их ым им ую юю л ла ло ли ся сь ет ют ут ит ат ят"
    )

    static let korean = LanguageWords(
        "ko",
        sounds: "음 어 아 에 그 저 흠",
        fillers: "그니까, 그러니까, 뭐, 뭐랄까, 이제, 막, 약간, 그냥, 저기, 있잖아, 있잖아요, 뭐지, 사실, 진짜, 좀, 네, 예",
        repairs: "아니 잠깐, 아니 그게 아니라, 미안",
        neutral: "것 수 거", light: "그리고 그런데 근데 그래서 하지만 또 더 잘 너무 정말 많이 이 그 저 나는 저는 오늘",
        negations: "안 못 아니 아니요 아니다 아직")

    /// Chinese, Japanese, Thai: units that `ScriptUnits` finds in texts without spaces; they never contain each other.
    static let unspaced = LanguageWords(
        "zh",
        sounds: "嗯 呃 啊 唔 哦 噢 额 欸 えー えーと えっと えと ええと うーん うん あー あのー エート เอ่อ เออ อืม อ่า อือ",
        fillers: """
            那个, 這個, 这个, 那個, 就是, 就是说, 就是說, 然后, 然後, 的话, 怎么说, 怎麼說, 你知道, 你知道吗, 对吧, 對吧, 对, 其实, 其實, 反正, 吧, 嘛, 呢, 吗, 呀, 哎, 好吧, あの, その, なんか, まあ, まぁ, \
            ほら, ね, さ, よ, こう, やっぱり, やっぱ, ちょっと, みたいな, っていうか, というか, なんていうか, なんて言うか, なんだろう, なんというか, แบบ, แบบว่า, ก็, คือ, คือว่า, อะ, นะ, ครับ, ค่ะ, คะ, จ้ะ, อ่ะ, น่ะ, ล่ะ, เนี่ย, ประมาณว่า
            """,
        repairs: "不对, 不對, 我是说, じゃなくて, いや, ไม่ใช่, 哦不",
        neutral: "的 了 着 地 得 个 個 は が を に で も の と へ や だ です ます た て し ๆ",
        light: "マイナス 就 也 都 还 還 又 再 很 和 是 在 有 那 这 這 所以 因为 因為 但 而 把 被 から ので けど でも そして それで すごく すごい とても และ ที่ ก็ได้ แล้ว จะ ว่า มาก ค่ะ ครับ",
        negations: """
            なきゃ 不 没 沒 没有 沒有 无 無 别 別 未 非 勿 ない なかっ なく なけれ ません ず ぬ まい ไม่ มิ ไร้ อย่า ห้าม ไม่ได้ ไม่เคย
            """,
        forms: "ない なかっ なく なけれ なきゃ, すごい すごく",
        // Signs of one Japanese reading between which a recogniser chooses.
        homophones: """
            意 以, 咲 裂, 撮 取 採 捕, 会 合 遭, 早 速, 暑 熱 厚, 聞 聴, 観 見 診, 作 造 創, 帰 返 還, 変 代 替 換, 着 切, 直 治, 初 始, 開 空 明, 泣 鳴, \
            計 測 量, 務 勤 努, 堅 固 硬, 暖 温, 柔 軟, 怪 妖, 攻 責, 公 講 工, 異 違
            """)
}
