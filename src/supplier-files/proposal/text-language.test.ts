import { describe, expect, it } from 'vitest'
import { languageByOwnLetters, languagesOfTexts, localeOf } from './text-language.ts'

/** Texts as shops write them. */
const TEXTS: Readonly<Record<string, string>> = {
  en: 'The cup is made of glass and comes with a lid. It is not for the dishwasher, and the handle is wood from your region.',
  de: 'Der Becher ist aus Glas und nicht für die Spülmaschine, mit einem Henkel. Die Griffe sind aus Holz, und das Set wird zum Verschenken verpackt.',
  pl: 'Kubek jest wykonany ze szkła i nie nadaje się do zmywarki. Uchwyt, który jest na kubku, wykonano z drewna dla wygody oraz bezpieczeństwa.',
  cs: 'Hrnek je vyroben ze skla a není vhodný do myčky. Rukojeť, která je na hrnku, se hodí pro děti. Sady jsou baleny ve dřevěné krabici, nebo při větším množství na paletě za příplatek od výrobce.',
  sk: 'Hrnček je vyrobený zo skla a nie je vhodný do umývačky. Rukoväť, ktorá je na hrnčeku, sa hodí pre deti. Sady sú balené v krabici alebo pri väčšom množstve na palete od výrobcu.',
  hr: 'Šalica je izrađena od stakla i nije za perilicu. Ručka koja se nalazi na šalici je od drva, uz poklopac. Setovi su pakirani u kutije ili na paletu, kao što je uvijek bijela boja. Može se koristiti za dječji napitak prije jela. Promjer je na slici.',
  sr: 'Šolja je napravljena od stakla i nije za mašinu. Ručka koja se nalazi na šolji je od drveta, uz poklopac. Setovi su pakovani u kutije ili na paletu, kao što je uvek bela boja. Može da se koristi za dečji napitak pre jela. Prečnik je na slici.',
  sl: 'Skodelica je izdelana iz stekla in ni za pomivalni stroj. Ročaj, ki je na skodelici, je lesen, ter pri vseh barvah enak. Kompleti so pakirani v škatle ali na paleto, kot tudi za darilo. Lahko se uporablja brez pokrova do konca.',
  bg: 'Чашата е изработена от стъкло и не е за съдомиялна. Дръжката е от дърво. Комплектът може да бъде опакован за подарък.',
  ru: 'Чашка изготовлена из стекла, её нельзя мыть в посудомоечной машине. Объём чашки указан на рисунке, ручки выполнены из дерева.',
  uk: 'Чашка виготовлена зі скла і не підходить для посудомийної машини. Ручка зроблена з дерева.',
  mk: 'Шолјата е направена од стакло и не е за машина. Рачката што ја гледате е од дрво, куќиштето не е за деца, а ѓезвето е посебно.',
  ca: 'La tassa és de vidre i no és per al rentaplats. La nansa és de fusta amb els colors del bosc. Les tasses són una bona idea per als amics, amb una caixa en dels colors que més us agradin.',
  es: 'La taza es de vidrio y no es para el lavavajillas. El asa es de madera con los colores del bosque. Las tazas son una buena idea para los amigos, con una caja en el color que se elija por su dueño.',
  fr: 'La tasse est en verre et ne va pas dans le lave-vaisselle. Les poignées sont en bois avec une finition du meilleur effet, pour vous et votre famille. Dans cette boîte il y a des couvercles.',
  it: 'La tazza è di vetro e non va nella lavastoviglie. Il manico è di legno con una finitura della migliore qualità, per gli amici che amano il bosco. Nel set ci sono dei coperchi delle tazze.',
  pt: 'A caneca é de vidro e não vai à máquina. Os cabos são de madeira com um acabamento do bosque, para uma oferta da família. As canecas das crianças estão em caixa, ao lado dos pratos.',
  nl: 'De beker is van glas en niet voor de vaatwasser. Het handvat is van hout, met een deksel. Deze set wordt ook bij de zijn oorspronkelijke doos geleverd.',
  sv: 'Muggen är av glas och inte för diskmaskin. Handtaget är av trä med ett lock som kan tas av. Set levereras i en låda från vår fabrik vid den svenska kusten på begäran.',
  da: 'Kruset er af glas og ikke til opvaskemaskine. Håndtaget er af træ med et låg, som kan tages af. Det leveres også i en æske fra den danske fabrik ved kysten, uden låg mellem jul og nytår.',
  nb: 'Kruset er av glass og ikke for oppvaskmaskin. Håndtaket er av tre med et lokk som kan tas av. Det leveres også i en eske fra den norske fabrikken ved kysten, uten lokk mellom jul og nyttår.',
  fi: 'Muki on lasia ja se ei sovi koneeseen. Kahva on puuta, joka on kestävää sekä kaunista, myös lahjaksi. Kannet ovat mukana, tai ne tilataan setin kanssa, että kaikki on valmista.',
  et: 'Tass on klaasist ja see ei sobi nõudepesumasinasse. Sang on puidust ning kaas ka. Komplekt on karbis, mis sobib kingituseks, kui soovite. Ka suured tassid on väga vastupidavad oma suuruse kohta.',
  lv: 'Krūze ir no stikla un nav paredzēta trauku mazgājamai mašīnai. Rokturis ir no koka, kas ir izturīgs. Komplekts ir kastē ar vāku vai pie pasūtījuma uz paletes, un tas ir arī par brīvu.',
  lt: 'Puodelis yra iš stiklo ir nėra skirtas indaplovei. Rankena yra iš medžio, tai patogu. Rinkinys su dangteliu yra dėžutėje arba ant padėklo, kad būtų saugu, bei skirtas į dovanų maišelį.',
}

const twice = (text: string) => [text, text]

describe('the language of texts', () => {
  it.each(Object.entries(TEXTS))('is %s', (language, text) => {
    expect(languagesOfTexts(twice(text))).toEqual([language])
  })

  it('is seen by letters in short texts', () => {
    expect(languagesOfTexts(['Радіатор кондиціонера', 'Гальмівні колодки'])).toEqual(['uk'])
    expect(languagesOfTexts(['Колодки тормозные', 'Радиатор'])).toEqual(['ru'])
    expect(languagesOfTexts(['Шоља за кафу', 'Чаша', 'Тањир дубоки'])).toEqual(['sr'])
    expect(languagesOfTexts(['Τηλεόραση 43 ιντσών'])).toEqual(['el'])
    expect(languagesOfTexts(['木製の棚', 'ガラスのコップ'])).toEqual(['ja'])
  })

  it('is not seen in few words, or in a short form of each title', () => {
    expect(languagesOfTexts(['Becher', 'Teller'])).toEqual([])
    // words that Czech has, too
    const croatian = 'Torba je na kotačima, nosi se na leđima, pere se ručno, skuplja se na pola, dostava je do vrata.'
    expect(languagesOfTexts(twice(croatian))).toEqual([])
    expect(languagesOfTexts(Array.from({ length: 40 }, (_, i) => `Acrylic UN-${i} 40 x 20`))).toEqual([])
  })

  it('is asked about where two are not told apart, unless the names of columns are in one of them', () => {
    const either = twice(
      'Ručka koja se nalazi na boci je od stakla, kao što su i ostale, ili je za nju uz doplatu. Nije za pranje.',
    )
    const asked: string[] = []
    const locale = (named?: string) =>
      localeOf(
        either,
        named,
        () => {},
        (question) => void asked.push(question),
      )
    expect(locale('sr')).toBe('sr')
    expect(locale('hr')).toBe('hr')
    expect(asked).toEqual([])
    expect(locale('en')).toBe('hr')
    expect(asked).toEqual([expect.stringContaining('"hr" or "sr"')])
  })

  it('is that of the names where it is one whose words are not known, unless letters show another one', () => {
    const locale = (text: string, named: string) =>
      localeOf(
        twice(text),
        named,
        () => {},
        () => {},
      )
    expect(locale(TEXTS['cs'] ?? '', 'sq')).toBe('sq')
    expect(locale(TEXTS['cs'] ?? '', 'en')).toBe('cs')
    expect(locale(TEXTS['bg'] ?? '', 'sq')).toBe('bg')
    expect(locale('Чашка', 'bg')).toBe('bg')
  })
})

describe('the language of the letters of short titles', () => {
  it.each([
    ['vi', ['Áo sơ mi trắng', 'Quần dài', 'Khăn quàng cổ', 'Bàn chải đánh răng', 'Giày thể thao']],
    ['lt', ['Kėdė su ąžuolo kojomis', 'Vaikų žaislas', 'Įrankių dėžė', 'Kavos puodelis ąsotėlis', 'Mažą stalą']],
    ['pl', ['Wkręt stalowy', 'Klej żółty', 'Młotek', 'Łąkowa mieszanka nasion']],
    ['ro', ['Mănuși de grădină', 'Cană de sticlă', 'Lopată cu coadă', 'Foarfecă pentru țesături']],
    ['es', ['Paño de cocina', 'Muñeca con vestido', 'Caña de pescar', 'Taladro', 'Martillo']],
  ])('is %s', (language, texts) => {
    expect(languageByOwnLetters(texts)).toBe(language)
  })

  it('is not shown by letters in names that another language has borrowed', () => {
    const others = ['Ketchup', 'Mustard, hot', 'Soda water', 'Salt, coarse', 'Black pepper', 'Olive oil', 'Vinegar']
    expect(
      languageByOwnLetters(['Jalapeño slices', 'Piña colada mix', 'El Niño hot sauce', 'Piñata', ...others]),
    ).toBeUndefined()
    // Croatian has the letter, too
    expect(languageByOwnLetters(['Đak torba', 'Lađa', 'Smeđa cipela', 'Šalica'])).toBeUndefined()
  })
})
