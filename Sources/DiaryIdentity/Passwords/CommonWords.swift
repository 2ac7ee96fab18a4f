/// Everyday words that passwords are made of, lower case, letters only.
///
/// Source: written for this service; words, names, teams, brands and keyboard sequences that published studies of leaked
/// passwords name as the usual stems.
enum CommonWords {
    static let all = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))

    static let list = """
        aaa abc abcd abcde abcdef abracadabra access account admin administrator africa again alexander alice always amanda
        amazon america american and andrew android angel angelofdeath angels anna anthony anything apple april army arsenal
        asd asdf asdfg asdfgh ashley audi august austin australia autumn azerty baby babyboy babygirl bailey banana barbara
        barcelona baseball basketball batman battery bayern beach bear beatles beautiful bella benjamin berlin best big
        birthday black blade blessed blink blue bmw bonjour boss boston brazil brother brown bullet bunny business buster
        butter butterfly california camaro camping canada candy captain caroline cat catherine change changeme charlie
        charlotte cheese chelsea cherry chicago chicken chief china chocolate christ christmas christopher cisco coffee
        college commander company computer cookie cookies cool cooper correct corvette cowboys crazy cricket crystal cupcake
        cutie daddy daisy dallas dance dancer daniel dark darkness darling david death december default demon deutschland
        devil diamond diary doctor dog doggy dollar dolphin donald dragon dream dreamer dreams driver duke eagle earth
        easter eight elizabeth eminem emma england ever everything evil facebook fairy faith falcon family father february
        ferrari fire first fish fisher fishing five flame florida flower flowers football for forever fortnite four france
        freedom friday friend friends from funny galaxy gamer gaming gandalf garfield geheim general george germany ghost
        ginger github god gold golden golf good goodbye goofy google gorgeous great green grey guest guitar gun hallo
        halloween hannah happiness happy harley harrypotter heaven hell hello her hero hiphop his hobbit hockey hocuspocus
        hogwarts hola holiday honda honey honeybunny hope horse horsebattery hot hundred hunter hunting ice ichliebedich
        iloveyou india instagram internet iphone ironman is isabella it james january japan jasmine jennifer jessica jesus
        jewel john jordan joseph joshua journal julia july june juventus killer king kitten kitty knight knightrider ladybug
        lakers last laura letmein letmeinnow letmeinplease liebe life lightning lily linux lion little liverpool login
        london love lovely lover loveyou luck lucky lucy mad madrid maggie magic magician major mama mami manager manchester
        march margaret maria marine mario master matrix matthew max me mega memo memories mercedes merlin metal metallica
        mexico michael michelle mickey microsoft million minecraft minnie molly mommy monday money monkey moon moonlight
        mother muffin music mustang my mydiary mylife mylove naruto natalie nature navy never new newyork nicholas nicole
        night nine ninja nintendo nirvana nobody notes nothing november nurse ocean october office old olivia one only
        opensesame openup oracle orange our panther papa papi paris party pass passphrase passwd password passwort patricia
        peace peach peanut pearl pepper phantom phoenix piano pikachu pink pirate pizza planet player playstation please
        pokemon police pony porsche potter power pretty prince princess private pumpkin punk puppy purple qaz qazwsx queen
        qwe qwer qwert qwerty qwertz rabbit racer rachel racing rain rainbow rebecca red rich richard river robert roblox
        rock rocker rockstar rocky root rose rugby running samantha samsung samurai sarah satan saturday school scooby
        secret secure security september server service sesame seven sexy shadow shark silver sister six sky slipknot small
        smile smiley snoopy snow snowman soccer soldier somebody something sonic sophia sophie space speed spider spiderman
        spring staple star starlight stars startrek starwars steelers stephanie storm story strawberry strong student subaru
        sugar summer sun sunday sunny sunshine super superman superuser support sweetheart sweetie sweety swimming sword
        system teacher temp temporary ten tennis tesla test tester testing texas thanks thankyou that the this thomas
        thousand three thunder thursday tiger tigger toby today tokyo tomorrow toyota travel treasure truck trust trustno
        trustnoone tuesday turbo twitter two ubuntu ultra unicorn universe university user vacation vampire victoria violet
        voice volleyball warcraft wedding wednesday welcome welcomehome whatever white william willkommen windows winner
        winnie winter with wizard wolf wonder work world wsx xbox xsw xyz yamaha yankees year yellow yesterday you your
        youtube zaq zelda zombie zxc zxcv zxcvbn
        """
}
