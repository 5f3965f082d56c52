/**
 * What the server refuses, which it says in English, in other languages; {0} and {1} are what it names, {text} is all that it
 * said. The first that fits is taken.
 */

export const ERRORS: [RegExp, { pl: string; sk: string; sr: string }][] = [
  [
    /^(?:the game is over)$/i,
    {
      pl: "Partia jest skończona.",
      sk: "Partia sa skončila.",
      sr: "Партија је завршена.",
    },
  ],
  [
    /^(?:it is the other side's turn)$/i,
    {
      pl: "Teraz rusza druga strona.",
      sk: "Na ťahu je druhá strana.",
      sr: "На потезу је друга страна.",
    },
  ],
  [
    /^(?:the game has moved on since)$/i,
    {
      pl: "Partia poszła już dalej.",
      sk: "Partia sa medzitým pohla.",
      sr: "Партија је у међувремену одмакла.",
    },
  ],
  [
    /^(?:you are looking on; only the players can do that)$/i,
    {
      pl: "Patrzysz z boku; to mogą tylko gracze.",
      sk: "Len sa prizeráte; to môžu iba hráči.",
      sr: "Само гледате; то могу само играчи.",
    },
  ],
  [
    /^(?:a name has 1 to (\d+) letters)$/i,
    {
      pl: "Imię ma od 1 do {0} liter.",
      sk: "Meno má 1 až {0} písmen.",
      sr: "Име има од 1 до {0} слова.",
    },
  ],
  [
    /^(?:clock .*)$/i,
    {
      pl: "To nie jest tempo gry: {text}",
      sk: "Toto nie je hracie tempo: {text}",
      sr: "Ово није темпо игре: {text}",
    },
  ],
  [
    /^(?:the other player (?:has to say yes|would have to agree))$/i,
    {
      pl: "Drugi gracz musi się zgodzić.",
      sk: "Druhý hráč by musel súhlasiť.",
      sr: "Други играч би морао да се сложи.",
    },
  ],
  [
    /^(?:there is nothing to claim here)$/i,
    {
      pl: "Nie ma tu czego żądać.",
      sk: "Niet tu čo nárokovať.",
      sr: "Нема шта да се захтева.",
    },
  ],
  [
    /^(?:there is no such game)$/i,
    {
      pl: "Nie ma takiej partii.",
      sk: "Taká partia nie je.",
      sr: "Нема такве партије.",
    },
  ],
  [
    /^(?:this game was removed)$/i,
    {
      pl: "Ta partia została usunięta.",
      sk: "Táto partia bola odstránená.",
      sr: "Ова партија је уклоњена.",
    },
  ],
  [
    /^(?:there is an offer that waits for an answer)$/i,
    {
      pl: "Propozycja czeka na odpowiedź.",
      sk: "Ponuka čaká na odpoveď.",
      sr: "Понуда чека одговор.",
    },
  ],
  [
    /^(?:that was declined; something must happen first)$/i,
    {
      pl: "Odmówiono; najpierw coś musi się stać.",
      sk: "To bolo odmietnuté; najprv sa musí niečo stať.",
      sr: "То је одбијено; прво нешто мора да се деси.",
    },
  ],
  [
    /^(?:there is no such offer any more)$/i,
    {
      pl: "Tej propozycji już nie ma.",
      sk: "Tá ponuka už nie je.",
      sr: "Те понуде више нема.",
    },
  ],
  [
    /^(?:the machine is thinking about its own move)$/i,
    {
      pl: "Maszyna myśli nad własnym ruchem.",
      sk: "Stroj premýšľa nad vlastným ťahom.",
      sr: "Машина мисли о свом потезу.",
    },
  ],
  [
    /^(?:something went wrong here)$/i,
    {
      pl: "Coś poszło nie tak na serwerze.",
      sk: "Na serveri sa niečo pokazilo.",
      sr: "Нешто није у реду на серверу.",
    },
  ],
  [
    /^(?:(?:.*: )?column (\w+) is full; choose another)$/i,
    {
      pl: "Kolumna {0} jest pełna; wybierz inną.",
      sk: "Stĺpec {0} je plný; zvoľte iný.",
      sr: "Колона {0} је пуна; изаберите другу.",
    },
  ],
  [
    /^(?:(\w+): (?:this point is )?taken.*|(\w+) is taken.*)$/i,
    {
      pl: "{0} jest zajęte.",
      sk: "{0} je obsadené.",
      sr: "{0} је заузето.",
    },
  ],
  [
    /^(?:(\w+) is a hole.*)$/i,
    {
      pl: "{0} to dziura; wybierz wolne pole.",
      sk: "{0} je diera; zvoľte voľné pole.",
      sr: "{0} је рупа; изаберите слободно поље.",
    },
  ],
  [
    /^(?:(\w+): turns no disc)$/i,
    {
      pl: "Pionek na {0} niczego nie odwraca.",
      sk: "Kameň na {0} nič neobráti.",
      sr: "Диск на {0} ништа не окреће.",
    },
  ],
  [
    /^(?:no disc can be placed; pass is the only move)$/i,
    {
      pl: "Nie można nic postawić; trzeba spasować.",
      sk: "Nedá sa nič položiť; treba pasovať.",
      sr: "Ништа не може да се стави; мора да се пасује.",
    },
  ],
  [
    /^(?:pieces stand on the dark squares only)$/i,
    {
      pl: "Figury stoją tylko na ciemnych polach.",
      sk: "Kamene stoja len na tmavých poliach.",
      sr: "Фигуре стоје само на тамним пољима.",
    },
  ],
  [
    /^(?:a capture is compulsory, and .*)$/i,
    {
      pl: "Bicie jest obowiązkowe, a to nie jest dozwolone bicie.",
      sk: "Branie je povinné a toto nie je dovolené branie.",
      sr: "Узимање је обавезно, а ово није дозвољено узимање.",
    },
  ],
  [
    /^(?:the piece on (\w+) is blocked)$/i,
    {
      pl: "Figura na {0} jest zablokowana.",
      sk: "Figúra na {0} je zablokovaná.",
      sr: "Фигура на {0} је блокирана.",
    },
  ],
  [
    /^(?:the (?:\w+) on (\w+) does not go to (\w+).*)$/i,
    {
      pl: "Figura z {0} nie idzie na {1}.",
      sk: "Figúra z {0} nejde na {1}.",
      sr: "Фигура са {0} не иде на {1}.",
    },
  ],
  [
    /^(?:no (?:\w+ )?piece stands on (\w+).*)$/i,
    {
      pl: "Na {0} nie ma twojej figury.",
      sk: "Na {0} nestojí vaša figúra.",
      sr: "На {0} нема ваше фигуре.",
    },
  ],
  [
    /^(?:the \w+ on (\w+) is (White|Black)'s, and (White|Black) is to move.*)$/i,
    {
      pl: "Figura na {0} należy do drugiej strony.",
      sk: "Figúra na {0} patrí druhej strane.",
      sr: "Фигура на {0} припада другој страни.",
    },
  ],
  [
    /^(?:the \w+ on (\w+) is pinned.*)$/i,
    {
      pl: "Figura na {0} jest związana: król byłby w szachu.",
      sk: "Figúra na {0} je viazaná: kráľ by bol v šachu.",
      sr: "Фигура на {0} је везана: краљ би био у шаху.",
    },
  ],
  [
    /^(?:the \w+ on (\w+) has nowhere to go)$/i,
    {
      pl: "Figura na {0} nie ma dokąd iść.",
      sk: "Figúra na {0} nemá kam ísť.",
      sr: "Фигура на {0} нема куда.",
    },
  ],
  [
    /^(?:the king would be in check on (\w+))$/i,
    {
      pl: "Król byłby w szachu na {0}.",
      sk: "Kráľ by bol na {0} v šachu.",
      sr: "Краљ би на {0} био у шаху.",
    },
  ],
  [
    /^(?:(?:White|Black) is in check, and the \w+ on (\w+) cannot help)$/i,
    {
      pl: "Jesteś w szachu, a figura na {0} nie pomoże.",
      sk: "Ste v šachu a figúra na {0} nepomôže.",
      sr: "У шаху сте, а фигура на {0} не може да помогне.",
    },
  ],
  [
    /^(?:(?:White|Black) is in check, and this does not answer it)$/i,
    {
      pl: "Jesteś w szachu, a to go nie odpiera.",
      sk: "Ste v šachu a toto ho nerieši.",
      sr: "У шаху сте, а ово га не отклања.",
    },
  ],
  [
    /^(?:(?:White|Black)'s own (?:\w+) stands on (\w+).*)$/i,
    {
      pl: "Na {0} stoi twoja figura.",
      sk: "Na {0} stojí vaša figúra.",
      sr: "На {0} стоји ваша фигура.",
    },
  ],
  [
    /^(?:.*repeat an earlier position.*|.*\bko\b.*)$/i,
    {
      pl: "To powtórzyłoby wcześniejszą pozycję.",
      sk: "To by zopakovalo skoršie postavenie.",
      sr: "То би поновило ранију позицију.",
    },
  ],
  [
    /^(?:(\w+): .*(?:no liberty|suicide).*)$/i,
    {
      pl: "Kamień na {0} nie miałby oddechu.",
      sk: "Kameň na {0} by nemal voľnosť.",
      sr: "Камен на {0} не би имао слободу.",
    },
  ],
  [
    /^(?:nobody can win: k=(\d+) in a row do not fit a board of (\w+))$/i,
    {
      pl: "Nikt nie może wygrać: {0} w rzędzie nie mieści się na planszy {1}.",
      sk: "Nikto nemôže vyhrať: {0} v rade sa nezmestí na dosku {1}.",
      sr: "Нико не може да победи: {0} у низу не стаје на таблу {1}.",
    },
  ],
  [
    /^(?:.*the page draws boards up to (\w+).*)$/i,
    {
      pl: "Strona rysuje plansze do {0}.",
      sk: "Stránka kreslí dosky do {0}.",
      sr: "Страница црта табле до {0}.",
    },
  ],
  [
    /^(?:move .*(?:not legal here|is not a move|no such move|there is no such move).*)$/i,
    {
      pl: "Ten ruch nie jest tu dozwolony.",
      sk: "Tento ťah tu nie je dovolený.",
      sr: "Овај потез овде није дозвољен.",
    },
  ],
  [
    /^(?:position .*)$/i,
    {
      pl: "Nie da się odczytać tej pozycji: {text}",
      sk: "Toto postavenie sa nedá prečítať: {text}",
      sr: "Ова позиција не може да се прочита: {text}",
    },
  ],
  [
    /^(?:game .*)$/i,
    {
      pl: "Nie ma takiej gry: {text}",
      sk: "Taká hra nie je: {text}",
      sr: "Нема такве игре: {text}",
    },
  ],
  [
    /^(?:file: .*)$/i,
    {
      pl: "Nie da się odczytać pliku: {text}",
      sk: "Súbor sa nedá prečítať: {text}",
      sr: "Датотека не може да се прочита: {text}",
    },
  ],
  [
    /^(?:.*wait a little.*|.*too (?:often|many|much).*)$/i,
    {
      pl: "Za dużo naraz; poczekaj chwilę.",
      sk: "To je priveľa naraz; chvíľu počkajte.",
      sr: "То је превише одједном; сачекајте мало.",
    },
  ],
  [
    /^(?:the game could not be judged just now)$/i,
    {
      pl: "Nie da się teraz ocenić tej gry.",
      sk: "Hru teraz nemožno posúdiť.",
      sr: "Игра тренутно не може да се процени.",
    },
  ],
];
