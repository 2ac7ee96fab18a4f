extension LanguageWords {
    static let english = LanguageWords(
        "en",
        sounds: "uh uhh uhm um umm ummm er erm ah ahh hm hmm hmmm mm mmm mhm eh",
        fillers: """
            you know, you know what, you know what i mean, i mean, i guess, sort of, kind of, kinda, sorta, like, well, so, right, okay, ok, okay so, okay well, \
            yeah, yep, yes, actually, basically, literally, honestly, anyway, anyways, anyhow, or something, or something like that, or whatever, and stuff, \
            and stuff like that, and everything, and all that, you see, let me see, let us see, let us say, oh, wow, hey, now, then, just, really, i think, i suppose, to be honest, \
            at the end of the day, if you will, if you know what i mean, as it were, whatever, look, listen, alright, all right, man, dude, obviously, \
            essentially, totally, the thing is, how do i say, what is it called, what do you call it, what was i saying, where was i, is not it, comma, full stop, \
            new paragraph, new line
            """,
        repairs: """
            no wait, wait no, no sorry, sorry no, i mean, no i mean, sorry i mean, sorry, wait, actually, no actually, or rather, scratch that, \
            no scratch that, correction, make that, no make that, let me rephrase, excuse me, rather
            """,
        neutral: """
            the a an is are was were be been being am has have had having do does did of to in on at for as that and \
            oclock 's 'd
            """,
        light: """
            but or so then because just also too well like really very quite now here oh yes yeah okay ok even still again maybe perhaps with by from into about than \
            it this there which who whom these those some any if when while where what how up out off down over
            """,
        negations: "not no never nothing nobody none nowhere neither nor without cannot hardly barely nah nope",
        variants: """
            don't dont=do not, doesn't doesnt=does not, didn't didnt=did not, won't=will not, can't cant cannot=can not, couldn't couldnt=could not, \
            wouldn't wouldnt=would not, shouldn't shouldnt=should not, isn't isnt=is not, aren't arent=are not, wasn't wasnt=was not, \
            weren't werent=were not, haven't havent=have not, hasn't hasnt=has not, hadn't hadnt=had not, mustn't=must not, needn't=need not, \
            mightn't=might not, shan't=shall not, ain't aint=is not, innit=is not it, i'm im=i am, you're youre=you are, we're=we are, they're theyre=they are, \
            i've ive=i have, you've youve=you have, we've weve=we have, they've theyve=they have, should've shouldve=should have, could've couldve=could have, \
            would've wouldve=would have, might've mightve=might have, must've mustve=must have, i'll=i will, you'll youll=you will, he'll=he will, she'll=she will, we'll=we will, \
            they'll theyll=they will, it'll itll=it will, that'll=that will, there'll=there will, i'd=i 'd, you'd youd=you 'd, he'd=he 'd, \
            she'd=she 'd, we'd=we 'd, they'd theyd=they 'd, it'd=it 'd, it's its=it 's, he's hes=he 's, she's shes=she 's, that's thats=that 's, there's theres=there 's, \
            what's whats=what 's, who's=who 's, where's=where 's, here's heres=here 's, how's=how 's, let's lets=let us, gonna=going to, wanna=want to, \
            gotta=got to, hafta=have to, kinda=kind of, sorta=sort of, outta=out of, lotta=lot of, lemme=let me, gimme=give me, dunno=do not know, \
            'cause cause cuz cos coz=because, 'em em=them, y'all yall=you all, ya=you, yeah yep yup=yes, okay=ok, alright=all right, 'til til till=until, \
            whatcha=what are you, gotcha=got you, betcha=bet you, coulda=could have, shoulda=should have, woulda=would have, o'clock=oclock, \
            mister=mr, missus=mrs, doctor=dr, mom mum=mum, tv=television, through thru=through, tho=though, percent=%, nite=night, \
            mornin=morning, goin=going, doin=doing, nothin=nothing, somethin=something, comin=coming, lookin=looking, tryin=trying, thinkin=thinking, \
            talkin=talking, feelin=feeling, workin=working, runnin=running, walkin=walking, sittin=sitting, gettin=getting, makin=making
            """,
        forms: """
            i me myself, he him himself, she herself, we us ourselves, they them themselves, it itself, be am is are was were been being 's, \
            have has had having 'd, do does did done doing, go goes went gone going, see sees saw seen, say says said, get gets got gotten, \
            make makes made making, come comes came coming, take takes took taken taking, know knows knew known, think thinks thought, give gives gave given giving, \
            find finds found, tell tells told, feel feels felt, leave leaves left leaving, keep keeps kept, begin begins began begun, \
            run runs ran running, eat eats ate eaten, drink drinks drank drunk, sing sings sang sung, swim swims swam swum, write writes wrote written writing, \
            read reads, sit sits sat sitting, stand stands stood, hear hears heard, meet meets met, lie lies lay lain, speak speaks spoke spoken, \
            buy buys bought, bring brings brought, catch catches caught, teach teaches taught, fall falls fell fallen, sleep sleeps slept, \
            drive drives drove driven driving, ride rides rode ridden, break breaks broke broken, choose chooses chose chosen, wake wakes woke woken, \
            wear wears wore worn, grow grows grew grown, throw throws threw thrown, fly flies flew flown, draw draws drew drawn, \
            forget forgets forgot forgotten, lose loses lost losing, pay pays paid, sell sells sold, send sends sent, spend spends spent, \
            build builds built, hold holds held, win wins won, child children, man men, woman women, person people, foot feet, tooth teeth, \
            use used, good well, bad badly, wife wives, life lives, knife knives, my mine, your yours, lay laid, try tries tried, cry cries cried, \
            a an, this these, that those
            """,
        homophones: """
            their there, past passed, threw through, your youre, whose whos, hear here, weather whether, than then, break brake, piece peace, \
            week weak, meet meat, right write rite, new knew, hole whole, wait weight, waist waste, sea see, buy by bye, blue blew, \
            steal steel, tail tale, plain plane, road rode, sail sale, role roll, loose lose, quite quiet, course coarse, principal principle, \
            desert dessert, dear deer, fair fare, flour flower, hair hare, heal heel, higher hire, led lead, mail male, pair pear, \
            pour poor pore, rain reign, sent scent, stair stare, vain vein, wear where ware, which witch, wood would, allowed aloud, bear bare, \
            board bored, cereal serial, cord chord, seen scene, seam seem, sight site cite, some sum, stake steak, suite sweet, throne thrown, \
            toe tow, way weigh, guest guessed, missed mist, based baste, patience patients, affect effect, accept except, to too, off of
            """,
        endings: "s es ed d ing ly n en ies ied y e"
    )
}
