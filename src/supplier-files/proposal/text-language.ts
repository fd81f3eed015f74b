import { say } from '../../../contract/remarks/remarks.ts'
// Detects the language of a file's texts, by their script and by frequent short words.

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['ko', /\p{sc=Hangul}/u],
  ['zh', /\p{sc=Han}/u],
  ['el', /\p{sc=Greek}{3}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['ar', /\p{sc=Arabic}/u],
  ['th', /\p{sc=Thai}/u],
]
/** Languages in Cyrillic letters. If texts are too short to show another one than `ru`, the column names decide. */
const CYRILLIC = new Set(['ru', 'uk', 'bg', 'sr', 'mk'])
/** Languages in Arabic letters, likewise. */
const ARABIC = new Set(['ar', 'fa', 'ur'])

/** Words that are frequent in one language and rare in others. Single letters are left out, because they are more often sizes. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and with of for your is this are from to it that',
  de: 'und mit der die das für ist aus auf nicht zum ein eine wird sind bei',
  pl: 'na do jest się nie dla oraz który która ze przez za od są lub jak może tylko',
  fr: 'et avec le les des du une est vous pour dans cette votre ce',
  es: 'con el los las una es su para en del por que se',
  it: 'con il di della per una gli nel che alla dei delle',
  pt: 'com os do da dos das uma em não para um ao',
  nl: 'en met het een van voor is de zijn deze wordt niet ook bij',
  cs: 'je na se pro jsou který nebo do ve která při není za od',
  sk: 'je na sa pre sú ktorý alebo do vo ktorá pri nie za od',
  sl: 'je na se za od so ki ali kot do ni iz pri ter tudi lahko brez zelo zaradi vaš',
  hr: 'je na se za od su koji koja koje ili kao što do nije iz uz sa može bez vrlo te bijela bijeli bijelo uvijek vrijeme prije dječji dječja dječje svjetlo svjetla mjesto uvjeti promjer uporabu kvalitete dijelova zraka primjenu',
  sr: 'je na se za od su koji koja koje ili kao što do nije iz uz sa može bez vrlo bela beli belo uvek vreme pre dečji dečja dečje dečije svetlo svetla mesto uslovi prečnik upotrebu kvalitet delova vazduha primenu',
  ro: 'și cu de pentru este din la care sau în nu un mai cele si pe',
  hu: 'és az egy van nem hogy is vagy ez nagyon ennek azt minden',
  tr: 've ile bir için bu da olarak çok olan veya daha hem',
  sv: 'och med är för ett som på av det inte från den vid kan',
  da: 'og med er til en som på af det ikke fra den ved kan bliver også meget mellem efter uden',
  nb: 'og med er til en som på av det ikke fra den ved kan blir også mye mellom etter uten',
  is: 'og með er til sem að ekki frá við fyrir eða um þetta það',
  ca: 'amb els les del per que una és dels al més aquest seva molt',
  et: 'ja on see kui või ning mis ei ka kuni oma väga koos jaoks',
  lv: 'un ir ar no uz par kas vai pie nav arī kā lai līdz',
  lt: 'ir su yra iš į kad bei tai arba nuo ne kaip dėl iki skirtas',
  fi: 'ja on se ovat joka sekä myös tai kanssa että ei sen',
}
const WORDS_OF_LANGUAGE = new Map(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))]),
)
/** Pairs of languages that short texts do not distinguish. */
const NEAR: Readonly<Record<string, string>> = { hr: 'sr', sr: 'hr', da: 'nb', nb: 'da' }

const CHARACTERS_MAX = 60_000
const CHARACTERS_OF_TEXT_MAX = 600
/** The least number of a language's frequent words in the texts, and how many times as many as of another language. */
const WORDS_MIN = 12
const TIMES_MIN = 1.3
/**
 * Alternatively, the least number of words that the other language does not have, and how many times as many as the words that only the other
 * one has.
 */
const OWN_WORDS_MIN = 4
const OWN_TIMES_MIN = 2
const DIFFERENT_MIN = 4
/** The least share of texts with letters of a script. */
const SCRIPT_SHARE = 0.5
/** The least share of texts with a letter that only one language has, but not every text of it. */
const LETTER_SHARE = 0.4

/** The language of texts; two, the likelier one first, if they cannot be distinguished; none if the texts are too few or too short. */
export function languagesOfTexts(texts: readonly string[]): string[] {
  const shown: string[] = []
  let left = CHARACTERS_MAX
  for (const text of texts) {
    if (left <= 0) break
    shown.push(text.slice(0, CHARACTERS_OF_TEXT_MAX).toLowerCase())
    left -= shown.at(-1)?.length ?? 0
  }
  if (shown.length === 0) return []
  const byLetters = languageByLetters(shown)
  return byLetters === undefined ? languagesByWords(shown) : [byLetters]
}

/**
 * Letters (`own`) that only one of these languages in Latin letters has: in short titles they are found sooner than frequent words. If a text
 * has them, letters that it shares with others (`shared`) count as well.
 */
const OWN_LETTERS: readonly { language: string; own: RegExp; shared?: RegExp; words?: RegExp }[] = [
  { language: 'cs', own: /[ěřů]/u },
  { language: 'sk', own: /[ľĺŕ]/u },
  { language: 'pl', own: /[łńśź]/u, shared: /[ąę]/u },
  { language: 'hu', own: /[őű]/u },
  { language: 'tr', own: /[ğı]/u },
  { language: 'ro', own: /[țţș]/u, shared: /ă/u },
  // names of dishes and drinks have these letters in many languages, so Spanish words are needed, too
  { language: 'es', own: /[ñ¿¡]/u, words: /(?<!\p{L})(?:con|de|del|el|la|las|los|para|por|sin|y)(?!\p{L})/u },
  { language: 'es', own: /ci[óo]n(?:es)?(?!\p{L})/u },
  { language: 'pt', own: /ç[ãõ]/u },
  { language: 'de', own: /ß/u },
  { language: 'lv', own: /[ķļņģ]/u },
  { language: 'lt', own: /[ėįų]/u, shared: /[ąę]/u },
  { language: 'vi', own: /[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u, shared: /[ăđ]/u },
]
/** The least number of texts with such letters, and their least share of all texts. */
const OWN_TEXTS_MIN = 3
const OWN_SHARE = 0.05
/** The least share of texts with frequent words of a language whose letters are in borrowed names, too. */
const BORROWED_SHARE = 0.3

/** The only language whose own letters the texts have; undefined if there is none, or several. */
export function languageByOwnLetters(texts: readonly string[]): string | undefined {
  const small = texts.slice(0, OWN_TEXTS_MAX).map((text) => text.slice(0, CHARACTERS_OF_TEXT_MAX).toLowerCase())
  const count = (...letters: readonly (RegExp | undefined)[]) =>
    small.filter((text) => letters.some((one) => one?.test(text) === true)).length
  const having = OWN_LETTERS.filter(({ own }) => count(own) > 0)
  if (new Set(having.map(({ language }) => language)).size !== 1) return undefined
  const isShown = ({ own, shared, words }: (typeof OWN_LETTERS)[number]) => {
    const isBorrowed = words !== undefined && count(words) < small.length * BORROWED_SHARE
    return !isBorrowed && count(own, shared) >= Math.max(OWN_TEXTS_MIN, small.length * OWN_SHARE)
  }
  return having.find(isShown)?.language
}
const OWN_TEXTS_MAX = 1_000

function languageByLetters(texts: readonly string[]): string | undefined {
  for (const [language, script] of SCRIPTS) {
    const count = texts.filter((text) => script.test(text)).length
    // Japanese titles may have only Chinese characters
    const of = language === 'ja' ? texts.length * 0.3 : texts.length * SCRIPT_SHARE
    if (count > 0 && count >= of) return language === 'ar' ? arabicLanguage(texts) : language
  }
  const cyrillic = texts.filter((text) => /\p{sc=Cyrillic}{3}/u.test(text))
  return cyrillic.length > 0 && cyrillic.length >= texts.length * SCRIPT_SHARE ? cyrillicLanguage(cyrillic) : undefined
}

/** Distinguishes Arabic, Persian and Urdu: Persian and Urdu write some letters in other forms, and have additional ones. */
function arabicLanguage(texts: readonly string[]): string {
  const all = texts.join(' ')
  const count = (letters: RegExp) => all.match(letters)?.length ?? 0
  if (count(/[یکگپچژ]/gu) <= count(/[يكةىأإ]/gu)) return 'ar'
  return count(/[ٹڈڑےں]/gu) > 0 ? 'ur' : 'fa'
}

/** Distinguishes languages by letters that the others do not have; `ru` if the texts have none of them. */
function cyrillicLanguage(texts: readonly string[]): string {
  const having = (letters: RegExp) => texts.filter((text) => letters.test(text)).length >= texts.length * LETTER_SHARE
  const all = texts.join(' ')
  const count = (letters: RegExp) => all.match(letters)?.length ?? 0
  if (having(/[іїєґ]/u)) return 'uk'
  if (having(/[јљњђћџѓќѕ]/u)) return count(/[ѓќѕ]/gu) > count(/[ђћ]/gu) ? 'mk' : 'sr'
  const hard = count(/ъ/gu)
  return hard >= HARD_SIGNS_MIN && hard > count(/[ыэё]/gu) ? 'bg' : 'ru'
}
/** Bulgarian has hard signs in about every other word, Russian only in a few. */
const HARD_SIGNS_MIN = 2

function languagesByWords(texts: readonly string[]): string[] {
  const found = new Map<string, number>()
  for (const text of texts)
    for (const word of text.replace(/<[^<>]{1,200}>/g, ' ').match(/\p{L}+/gu) ?? [])
      if (ALL_WORDS.has(word)) found.set(word, (found.get(word) ?? 0) + 1)
  const counts = [...WORDS_OF_LANGUAGE]
    .map(([language, words]) => ({ language, words, count: countOf(found, words) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
  for (const one of counts.slice(0, CANDIDATES_MAX)) {
    // a single word in every title may be an abbreviation
    const different = [...found.keys()].filter((word) => one.words.has(word)).length
    if (one.count < WORDS_MIN || different < DIFFERENT_MIN) continue
    const others = counts.filter((other) => other !== one && !isBefore(one, other, found))
    if (others.length === 0) return [one.language]
    if (others.length === 1 && others[0]?.language === NEAR[one.language])
      return [one.language, ...others.map(({ language }) => language)]
  }
  return []
}
const ALL_WORDS = new Set([...WORDS_OF_LANGUAGE.values()].flatMap((words) => [...words]))
const CANDIDATES_MAX = 3

interface Counted {
  words: ReadonlySet<string>
  count: number
}

/** How often words of a language were found, not counting those of `without`. */
function countOf(
  found: ReadonlyMap<string, number>,
  words: ReadonlySet<string>,
  without?: ReadonlySet<string>,
): number {
  let count = 0
  for (const [word, times] of found) if (words.has(word) && without?.has(word) !== true) count += times
  return count
}

function isBefore(one: Counted, other: Counted, found: ReadonlyMap<string, number>): boolean {
  if (one.count >= other.count * TIMES_MIN) return true
  const own = countOf(found, one.words, other.words)
  return own >= OWN_WORDS_MIN && own >= countOf(found, other.words, one.words) * OWN_TIMES_MIN
}

/** Whether a language can be detected in texts; `no` is detected as `nb`. */
const isShown = (language: string) =>
  language === 'no' ||
  WORDS_OF_LANGUAGE.has(language) ||
  CYRILLIC.has(language) ||
  SCRIPTS.some(([one]) => one === language)

/** Languages in which names of columns are shortened alike: `Cod Art`. */
const SHORT_FORMS_ALIKE = new Set(['es', 'it', 'pt'])

/**
 * The language of a file's texts, as the texts show it or, failing that, the column names.
 * @param named the language of the column names
 */
export function localeOf(
  texts: readonly string[],
  named: string | undefined,
  note: (path: string, reason: string) => void,
  ask: (question: string) => void,
): string | undefined {
  const shown = languagesOfTexts(texts)
  const [first] = shown
  const isSame =
    (named !== undefined && shown.includes(named)) ||
    (first === 'ru' && CYRILLIC.has(named ?? '')) ||
    (first === 'ar' && ARABIC.has(named ?? '')) ||
    (first === 'nb' && named === 'no')
  // if the language of the names cannot be detected, its words may be taken for those of another one
  const mayDiffer = named === undefined || isShown(named) || !WORDS_OF_LANGUAGE.has(first ?? '')
  if (first !== undefined && !isSame && mayDiffer) {
    note('locale', 'the language of the texts, by their letters or frequent words')
    if (shown.length > 1) ask(say('near_languages', { languages: shown, language: first }))
    return first
  }
  // in English are what programs call columns, whatever their texts are in
  const mayBeOther = named === undefined || named === 'en' || SHORT_FORMS_ALIKE.has(named)
  const own = first === undefined && mayBeOther ? languageByOwnLetters(texts) : undefined
  if (own !== undefined && (!SHORT_FORMS_ALIKE.has(named ?? '') || SHORT_FORMS_ALIKE.has(own))) {
    note('locale', 'the language of the texts, by their letters or frequent words')
    return own
  }
  note(
    'locale',
    named === undefined
      ? 'assumed: nothing shows the language'
      : 'the language of the column names; correct it if texts are in another',
  )
  return named
}
