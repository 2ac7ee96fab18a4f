extension LanguageWords {
    static let french = LanguageWords(
        "fr",
        sounds: "euh heu hum hm hmm mm mmm bah beh ah oh eh",
        fillers: """
            ben, hein, quoi, donc, alors, du coup, en fait, genre, enfin, voilà, bon, bon ben, eh bien, et bien, tu vois, vous voyez, tu sais, vous savez, \
            je veux dire, comment dire, disons, quand même, un peu, en gros, franchement, bref, oui, ok, okay, d'accord, de accord, est ce pas, si tu veux, \
            comme ça, ce que je veux dire, là, je crois, je pense, en quelque sorte, on va dire, tu comprends, justement, finalement, virgule, point
            """,
        repairs:
            "non pardon, pardon, non attends, attends, enfin, je veux dire, non je veux dire, ou plutôt, plutôt, non désolé, désolé",
        neutral:
            "le la les l un une des du de au aux est sont était étaient suis es a ai as ont avait avaient été à dans en sur et que qui ce se y ne",
        light:
            "mais ou donc car alors puis aussi encore très trop plus bien là ici avec pour par comme si quand où ça c en tout même peut être vraiment on",
        negations: "pas jamais rien aucun aucune non sans ni guère nul nulle personne",
        variants: """
            j=je, m=me, d=de, n=ne, c=ce, qu=que, s=se, t=te, l=le, j'suis jsuis chuis=je suis, chais=je sais, cela=ça, ouais ouai=oui, nan=non, p'tit ptit=petit, \
            p'tite=petite, y'a=il y a, ya=il y a, t'as=tu as, t'es=tu es, okay=ok, pourcent=%, madame=mme, docteur=dr, aujourd'hui=aujourdhui, \
            quelqu'un=quelqu un, lorsqu=lorsque, puisqu=puisque, pis=puis, jusqu=jusque, quoiqu=quoique, presqu'île=presquile, parc=parce, pask=parce que
            """,
        forms:
            "me moi, te toi, le la les l un une des, du de des, au aux à, ce cet cette ces, mon ma mes, ton ta tes, son sa ses, être suis es est sommes êtes sont était étaient été, avoir ai as a avons avez ont avait avaient eu, aller vais va allons vont allé, faire fais fait faisait, beau bel belle, nouveau nouvel nouvelle, vieux vieil vieille",
        homophones: """
            sa ça, ces ses, ce se, et est, on ont, son sont, peu peut peux, mais mes met mets, leur leurs, quand quant, ou où, vers vert verre, \
            père paire, mère maire mer, fois foi foie, compte conte, point poing, port porc, voix voie, temps tant, eau haut
            """,
        endings: "e s es x er ez ee ees ai ais ait aient ent nt t le ne"
    )

    static let spanish = LanguageWords(
        "es",
        sounds: "eh ehm em mmm mm hm hmm uh um ah ay este",
        fillers: """
            pues, bueno, o sea, es que, digamos, como que, sabes, ya sabes, este, entonces, en plan, tipo, la verdad, vamos, a ver, mira, oye, vale, ok, okay, \
            sí, claro, verdad, no sé, qué sé yo, por así decirlo, como te digo, quiero decir, y tal, y eso, en fin, básicamente, literalmente, pues nada, \
            pues bueno, y bueno, me explico, cómo se dice, cómo se llama, yo creo, la verdad es que, coma, punto
            """,
        repairs:
            "no espera, espera, no perdón, perdón, perdona, digo, no digo, quiero decir, mejor dicho, o mejor, más bien",
        neutral: "el la los las un una unos unas es son era eran fue ser estar está están estaba he ha han había de del a al en que y por",
        light:
            "pero o porque pues también ya muy más bien así luego después entonces ahora aquí allí con para como si cuando donde sí me te eso esto todo tan",
        negations: "no nunca jamás nada nadie ningún ninguno ninguna tampoco ni sin",
        variants:
            "pa=para, pa'=para, m=me, t=te, d=de, l=la, to=todo, tó=todo, na=nada, toy=estoy, tá=está, tamos=estamos, pal=para el, del=de el, al=a el, okay=ok, doctor=dr, señor=sr, señora=sra, e=y, u=o",
        forms: """
            yo me mí, el la los las, un una unos unas, ser soy es son era eran fue fueron sido, haber he ha has han había habían hubo hubieron, estar estoy está están estaba, \
            mi mis, tu tus, su sus, nuestro nuestra nuestros nuestras, este esta estos estas, ese esa esos esas, aquel aquella aquellos aquellas
            """,
        endings: "s es n o aron io ieron eron a os as"
    )

    static let portuguese = LanguageWords(
        "pt",
        sounds: "eh hm hmm mm hum ah hã ahn",
        fillers: """
            né, tipo, então, bom, bem, assim, sabe, tá, pois, pronto, quer dizer, tipo assim, sei lá, é que, aí, daí, olha, ok, okay, sim, entende, não é, \
            por assim dizer, na verdade, basicamente, enfim, digamos
            """,
        repairs: "não espera, espera, desculpa, quer dizer, digo, ou melhor, aliás, perdão",
        neutral:
            "o a os as um uma é são era eram foi ser estar está estão estava ha tem tinha de do da dos das em no na nos nas ao à que e se por",
        light: "mas ou porque também já muito mais bem assim depois então agora aqui ali com para como se quando onde sim eu isso tudo",
        negations: "não nunca jamais nada ninguém nenhum nenhuma nem sem tampouco",
        variants: "pra=para, pro=para o, tá=está, tô=estou, tava=estava, cê=você, vc=você, num=não, okay=ok, doutor=dr, senhor=sr",
        forms: "eu me mim, o a os as, um uma uns umas, ser sou é são era eram foi foram sido, estar estou está estão estava",
        endings: "s es"
    )

    static let italian = LanguageWords(
        "it",
        sounds: "eh ehm em mm mmm hm hmm uhm ah beh boh mah",
        fillers: """
            cioè, allora, insomma, tipo, diciamo, praticamente, comunque, quindi, ecco, sai, capito, va bene, vabbè, ok, okay, sì, bene, dai, guarda, \
            in pratica, in realtà, voglio dire, come dire, per così dire, niente, un po, nel senso, diciamo così, capisci, appunto, poi, infatti, magari, virgola, punto
            """,
        repairs: "no scusa, scusa, scusate, anzi, no anzi, cioè, volevo dire, voglio dire, no aspetta, aspetta, o meglio, no cioè",
        neutral:
            "il lo la i gli le l un uno una è sono era erano e' ho ha hanno aveva di del della dei delle dello da in nel nella a al alla che e si su per stato",
        light:
            "ma o perché anche già molto più bene così poi dopo allora adesso ora qui qua lì là con come se quando dove sì mi ti ci ne tutto",
        negations: "non no mai niente nulla nessuno nessuna nessun né senza neanche nemmeno neppure",
        variants:
            "c=ci, d=di, m=mi, t=ti, s=si, po'=po, sto'=questo, okay=ok, dottore dottor=dr, signor=sig, l=lo, un'=una, dell=della, all=alla, nell=nella, sull=sulla, dall=dalla",
        forms:
            "io me mi, il lo la i gli le, un uno una, di del della dei delle dello, a al alla allo ai alle, in nel nella nei nelle, essere sono è era erano stato stata, avere ho hai ha abbiamo hanno aveva",
        endings: "i"
    )
}
