// The language of the texts of a file, by their script and by short words that a language uses all the time.

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['ko', /\p{sc=Hangul}/u],
  ['zh', /\p{sc=Han}/u],
  ['el', /\p{sc=Greek}{3}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['ar', /\p{sc=Arabic}/u],
  ['th', /\p{sc=Thai}/u],
  ['uk', /[іїєґ]/u],
  ['ru', /\p{sc=Cyrillic}{3}/u],
]
/** Languages in Cyrillic letters: the names of columns say which one. */
const CYRILLIC = new Set(['ru', 'uk', 'bg', 'sr'])

/** Words that are frequent in one language and rare in the others. Single letters are more often sizes. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and with of for your is this are from to it that',
  de: 'und mit der die das für ist aus auf nicht zum ein eine wird sind bei',
  pl: 'na do jest się nie dla oraz który która ze przez',
  fr: 'et avec le les des du une est vous pour dans cette votre ce',
  es: 'con el los las una es su para en del por que se',
  it: 'con il di della per una gli nel che alla dei delle',
  pt: 'com os do da dos das uma em não para um ao',
  nl: 'en met het een van voor is de zijn deze wordt niet ook bij',
  cs: 'je na se pro jsou který nebo do ve která při není',
  sk: 'je na sa pre sú ktorý alebo do vo ktorá pri nie',
  ro: 'și cu de pentru este din la care sau în nu un mai cele si pe',
  hu: 'és az egy van nem hogy is vagy ez nagyon ennek azt minden',
  tr: 've ile bir için bu da olarak çok olan veya daha hem',
  sv: 'och med är för ett som på av det inte från den vid kan',
  da: 'og med er til en som på af det ikke fra den ved kan',
  nb: 'og med er til en som på av det ikke fra den ved kan',
  fi: 'ja on se ovat joka sekä myös tai kanssa että ei sen',
}
const LANGUAGES_OF_WORD = new Map<string, string[]>()
for (const [language, words] of Object.entries(WORDS))
  for (const word of new Set(words.split(' ')))
    LANGUAGES_OF_WORD.set(word, [...(LANGUAGES_OF_WORD.get(word) ?? []), language])

const CHARACTERS_MAX = 60_000
const CHARACTERS_OF_TEXT_MAX = 600
/** So many words show a language, and so many times those of the next one. */
const WORDS_MIN = 12
const TIMES_MIN = 1.3
const DIFFERENT_MIN = 4
/** The share of the texts that have letters of a script. */
const SCRIPT_SHARE = 0.5

/** The language of texts; undefined where they are too few or too short to show it. */
export function languageOfTexts(texts: readonly string[]): string | undefined {
  const shown: string[] = []
  let left = CHARACTERS_MAX
  for (const text of texts) {
    if (left <= 0) break
    shown.push(text.slice(0, CHARACTERS_OF_TEXT_MAX).toLowerCase())
    left -= shown.at(-1)?.length ?? 0
  }
  if (shown.length === 0) return undefined
  const cyrillic = shown.filter((text) => /\p{sc=Cyrillic}{3}/u.test(text)).length
  for (const [language, script] of SCRIPTS) {
    const count = shown.filter((text) => script.test(text)).length
    // a letter that another language lacks need not be in every text
    const of = language === 'uk' ? cyrillic * 0.4 : language === 'ja' ? shown.length * 0.3 : shown.length * SCRIPT_SHARE
    if (count > 0 && count >= of && (language !== 'uk' || cyrillic >= shown.length * SCRIPT_SHARE)) return language
  }
  const counts = new Map<string, number>()
  const found = new Set<string>()
  for (const text of shown)
    for (const word of text.replace(/<[^<>]{1,200}>/g, ' ').match(/\p{L}+/gu) ?? [])
      for (const language of LANGUAGES_OF_WORD.get(word) ?? []) {
        found.add(word)
        counts.set(language, (counts.get(language) ?? 0) + 1)
      }
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a)
  if (first === undefined || first[1] < WORDS_MIN || first[1] < (second?.[1] ?? 0) * TIMES_MIN) return undefined
  // one word of a language in every title may be a short form
  const different = [...found].filter((word) => LANGUAGES_OF_WORD.get(word)?.includes(first[0]) === true).length
  if (different < DIFFERENT_MIN) return undefined
  return first[0]
}

/**
 * The language of a file's texts: what the texts show, or else the names of its columns.
 * @param named the language of the names
 */
export function localeOf(
  texts: readonly string[],
  named: string | undefined,
  note: (path: string, reason: string) => void,
): string | undefined {
  const shown = languageOfTexts(texts)
  const isSame = shown === named || (shown === 'ru' && CYRILLIC.has(named ?? ''))
  if (shown !== undefined && !isSame) {
    note('locale', 'the language of the texts, by their letters or frequent words')
    return shown
  }
  note(
    'locale',
    named === undefined
      ? 'assumed: nothing shows the language'
      : 'the language of the column names; correct it if texts are in another',
  )
  return named
}
