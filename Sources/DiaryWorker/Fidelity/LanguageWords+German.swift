extension LanguageWords {
    static let german = LanguageWords(
        "de",
        sounds: "äh ähm öh öhm ehm ähh hm hmm hmmm mhm mm uh ähem tja",
        fillers: """
            also, halt, eben, irgendwie, sozusagen, quasi, ne, gell, weißt du, weisst du, wissen sie, ich sag mal, ich sage mal, sag ich mal, sagen wir mal, na ja, naja, na gut, na, \
            ja, ja also, genau, so, und so, oder so, und so weiter, im grunde, im prinzip, eigentlich, einfach, mal, nun, nun ja, jetzt, dann, da, schon, \
            ich meine, ich mein, ich glaube, glaub ich, okay, ok, gut, wie gesagt, wie soll ich sagen, wie sagt man, keine ahnung, \
            ehrlich gesagt, letztendlich, praktisch, grundsätzlich, doch, ach, oh, nicht wahr, oder, ja gut, denke ich, würde ich sagen, tatsächlich, \
            verstehst du, punkt, komma
            """,
        repairs: """
            nein warte, warte, moment, quatsch, nein quatsch, ich meine, nein ich meine, beziehungsweise, vielmehr, besser gesagt, entschuldigung, sorry, \
            nee warte, oder nein, ach nein, ach nee, korrektur, falsch
            """,
        neutral: """
            der die das den dem des ein eine einen einem einer eines ist sind war waren bin bist hat habe haben hatte hatten wird werden wurde \
            zu in an auf im am zum zur ins von vom bei beim und dass es da als
            """,
        light: """
            aber oder so dann weil denn auch noch schon mal ja doch halt eben also jetzt nun wieder sehr ganz ziemlich hier dort mit nach aus über um \
            wenn wie was wo ob etwas sich einfach eigentlich irgendwie vielleicht wohl nur
            """,
        negations:
            "nicht nichts nie niemals kein keine keinen keinem keiner keines niemand niemanden niemandem nirgends ohne weder nein nee",
        variants: """
            hab=habe, hab's habs=habe es, gibt's gibts=gibt es, geht's gehts=geht es, war's wars=war es, ist's=ist es, isses=ist es, \
            hat's hats=hat es, wenn's=wenn es, ich's=ich es, is=ist, nich net=nicht, nix=nichts, nem 'nem=einem, nen 'nen=einen, 'ne=eine, \
            'n=ein, 'ner ner=einer, aufm=auf dem, auf'm=auf dem, mit'm=mit dem, fürs=für das, ins=in das, im=in dem, am=an dem, \
            zum=zu dem, zur=zu der, vom=von dem, beim=bei dem, ans=an das, aufs=auf das, ums=um das, übers=über das, haste=hast du, willste=willst du, kannste=kannst du, \
            biste=bist du, musste=musste, runter=herunter, raus=heraus, rein=herein, rauf=herauf, rüber=herüber, drauf=darauf, drin=darin, \
            dran=daran, drüber=darüber, nochmal=noch mal, prozent=%, doktor=dr, zb=zum beispiel, bzw=beziehungsweise, usw=und so weiter, dass daß=dass, \
            was'n=was denn, nee=nein, nö=nein, ham=haben, sin=sind, ma=mal, okay=ok, grad=gerade, heut=heute, gern=gerne, gehn=gehen, sehn=sehen, seh=sehe, geh=gehe, \
            find=finde, glaub=glaube, denk=denke, mein=meine, weiss=weiß
            """,
        forms: """
            ich mich mir, du dich dir, er ihn ihm, wir uns, sein bin bist ist sind war waren gewesen, haben habe hast hat hatte hatten gehabt, \
            werden wird wurde wurden geworden worden, gehen gehe geht ging gingen gegangen, kommen komme kommt kam kamen gekommen, sehen sehe sieht sah gesehen, \
            essen esse isst aß gegessen, trinken trinkt trank getrunken, nehmen nimmt nahm genommen, geben gibt gab gegeben, sprechen spricht sprach gesprochen, \
            schlafen schläft schlief geschlafen, laufen läuft lief gelaufen, fahren fährt fuhr gefahren, lesen liest las gelesen, schreiben schreibt schrieb geschrieben, \
            treffen trifft traf getroffen, sitzen saß gesessen, stehen stand gestanden, bringen brachte gebracht, denken dachte gedacht, wissen weiß wusste gewusst, \
            der die das den dem des, mein meine meinem meinen meiner meines, dieser diese dieses diesem diesen
            """,
        homophones: """
            viel fiel, seid seit, weis weiß, ist isst, war wahr, mehr meer, lehrer leerer, wider wieder, den denn, wen wenn, mal mahl, man mann, \
            stadt statt, tod tot, rad rat, wende wände, lärche lerche, mine miene, saite seite, waise weise, das dass
            """,
        endings: "e en n er ern es em m r s st t te ten tet test et est nen"
    )

    static let dutch = LanguageWords(
        "nl",
        sounds: "eh ehm uh uhm euh hm hmm mm mmm",
        fillers:
            "nou, ja, dus, eigenlijk, gewoon, zeg maar, weet je, weet je wel, zeg, hè, toch, ofzo, of zo, enzo, oké, ok, ik bedoel, soort van, best wel, nou ja, eh ja, even, maar",
        repairs: "nee wacht, wacht, ik bedoel, sorry, of nee, of liever",
        neutral: "de het een is zijn was waren ben heeft heb hebben had hadden wordt worden werd van te in op aan bij en dat er om",
        light:
            "maar of dus want ook nog al dan toen nu hier daar heel erg zo wel weer met naar uit voor over als wat hoe waar misschien gewoon even ja",
        negations: "niet niets niks nooit geen niemand nergens zonder nee noch",
        variants: "'t=het, 'n=een, 'k=ik, m'n mn=mijn, z'n zn=zijn, d'r=haar, da's=dat is, 's=s, nie=niet, procent=%, oké=ok, zo'n=zo een",
        forms:
            "ik me mij, hij hem, wij we ons, zijn ben bent is was waren geweest, hebben heb hebt heeft had hadden gehad, gaan ga gaat ging gingen gegaan, zien zie ziet zag gezien, komen kom komt kwam gekomen, de het",
        endings: "e en n s t te ten de den er"
    )

    static let nordic = LanguageWords(
        "sv",
        sounds: "eh öh hm hmm mm øh",
        fillers: "liksom, alltså, typ, ju, ja, asså, altså, liksom ja, eller hur, vet du, ikke sant",
        repairs: "nej vänta, jag menar, jeg mener",
        neutral: "en ett et den det de är er var och og att at i på av har hade som til till for för",
        light: "men eller så också også nu då da där der här her med från fra mycket meget om när når ja jo",
        negations: "inte ingen inget inga aldrig ingenting utan ikke ikkje aldri ingenting intet uten uden nej nei ej",
        variants: "å=och, nån=någon, nåt=något, sen=sedan, procent prosent=%",
        endings: "en et n t a e r er ar or na ne s de te"
    )
}
