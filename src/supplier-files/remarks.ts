import { isCount, isFooter } from './footers.ts'
import { memberText, type Row } from './rows.ts'
import { must } from '../platform/must.ts'

/**
 * What a row of a table is if it is about no article. `sum`: a footer such as `Summe: 300 Artikel`; `header`: the names of the columns
 * again; `note`: a sentence such as `Preise gültig bis 31.12.`
 */
export type Remark = 'sum' | 'header' | 'note'

/** Longer cells are no sums, and cells of more than four times this length are sentences. */
const LENGTH_MAX = 300

const SUM =
  'gesamtsumme|zwischensumme|endsumme|summe|gesamtanzahl|gesamtzahl|gesamt|insgesamt|anzahl (?:der )?(?:artikel|produkte|positionen|zeilen|datensätze)|artikel gesamt|' +
  'grand[ -]total|sub-?total|totals?|totales|totali|totaux|totais|sum|(?:number|count) of (?:items|products|articles|rows|records)|(?:item|row|record|product) count|' +
  'razem|suma|łącznie|ogółem|podsumowanie|liczba (?:pozycji|produktów|artykułów)|' +
  'sous-total|somme|total général|nombre d.articles|suma total|total general|número de artículos|' +
  'totale generale|totale|subtotale|somma|eindtotaal|subtotaal|totaal|totaalbedrag|som|aantal (?:artikelen|producten)|' +
  'soma|total geral|celkem|součet|mezisoučet|celkový součet|celkom|súčet|spolu|összesen|mindösszesen|összeg|végösszeg|' +
  'summa|totalsumma|totalt|delsumma|sammanlagt|i alt|sum totalt|yhteensä|loppusumma|sumă|total general|' +
  'итого|всего|сумма|общая сумма|разом|всього|усього|сума|общо|toplam|genel toplam|ara toplam|iš viso|viso|kopā|kokku|ukupno|skupaj|σύνολο|γενικό σύνολο'

/** Words that may follow the number of a sum: what is counted, and units and currencies of an amount. */
const UNITS =
  'artikel|artikeln|article|articles|item|items|product|products|produkt|produkte|produkten|position|positions|positionen|pos|zeilen|lines|line|rows|row|records|datensätze|einträge|entries|' +
  'stück|stueck|stk|pcs|pc|pieces|units|einheiten|skus|pozycji|pozycje|produktów|sztuk|szt|artykułów|artykuły|wierszy|artículos|articulos|productos|unidades|uds|produits|références|pièces|lignes|' +
  'articoli|prodotti|pezzi|righe|artikelen|producten|stuks|regels|artigos|produtos|peças|položek|položky|kusů|ks|tétel|darab|db|termék|artiklar|produkter|rader|st|varer|rækker|tuotetta|kpl|riviä|' +
  'produse|buc|позиций|позиции|товаров|штук|шт|товарів|позицій|артикула|ürün|adet|kalem|prekių|vnt|preces|gab|toodet|tk|artikala|izdelkov|kom|προϊόντα|τεμάχια|' +
  'netto|brutto|net|nett|gross|ttc|ht|incl|excl|inkl|exkl|inc|ex|vat|mwst|ust|iva|tva|dph|btw|number|count|no|nr|of|the|all|der|aller|alle|de|di|von|' +
  'eur|euro|usd|gbp|chf|pln|czk|huf|sek|nok|dkk|ron|bgn|try|uah|zł|zl|kč|ft|kr|lei|лв|грн|руб|€|\\$|£'

// the longest first: `total general` begins with `total`
const longestFirst = SUM.split(/\|(?![^(]*\))/).toSorted((a, b) => b.length - a.length)
const sumStart = new RegExp(`^(?:${longestFirst.join('|')})(?=$|[\\s:=(])`, 'iu')
/** Words with which no article's name begins; behind them the name of what is summed up may follow. */
const CERTAIN =
  /^(?:gesamtsumme|zwischensumme|endsumme|grand[ -]total|sub-?total|sous-total|totale generale|subtotale|eindtotaal|subtotaal|mezisoučet|mindösszesen|delsumma|ara toplam)/iu
const NAMED_WORDS_MAX = 4
/** A quick test: words for sums have no digits, and the first word of most keys has one. */
const DIGIT_IN_FIRST_WORD = /^[^\s:=(]*\d/
const unit = new RegExp(`^(?:${UNITS})$`, 'iu')
const NUMBER = /^[-+]?[€$£]?\d[\d.,'\u2019\u00a0\u202f]*(?:%|[€$£]|,-)?$/u

const isFigureOrUnit = (word: string): boolean => NUMBER.test(word) || unit.test(word.replace(/\.$/, ''))
const wordsOf = (text: string): string[] => text.split(/[\s:=()]+/u).filter((word) => word !== '')

/** Whether a text is a number, perhaps with what is counted: `300`, `1.234,50 EUR`, `300 Artikel`, `=`. */
const isFigure = (text: string): boolean => text.length <= LENGTH_MAX && wordsOf(text).every(isFigureOrUnit)

/**
 * How a cell shows that it is a sum. `stated`: a word for a sum and its amount; `word`: a word without an amount; `number`: a word and a
 * number that may be part of a name as well.
 */
function sumIn(cell: string): 'stated' | 'word' | 'number' | null {
  if (cell.length > LENGTH_MAX || DIGIT_IN_FIRST_WORD.test(cell)) return null
  const text = cell.replace(/^[*#=>\s-]+/, '').replace(/[*#=<\s-]+$/, '')
  const start = sumStart.exec(text)?.[0]
  if (start === undefined) return null
  const rest = text.slice(start.length)
  const words = wordsOf(rest)
  if (words.length === 0) return 'word'
  // after a colon and a number a few words may follow: `Total: 300 different screws`
  if (/^\s*[:=]/.test(rest) && NUMBER.test(words[0] ?? '')) return words.length <= 6 ? 'stated' : null
  // a name of what is summed up, as no article is called `Zwischensumme Garten`, or has a name that ends with a colon
  const isNamed = words.length <= NAMED_WORDS_MAX && (CERTAIN.test(start) || text.endsWith(':'))
  if (!words.every(isFigureOrUnit)) return isNamed ? 'word' : null
  const numbers = words.filter((word) => NUMBER.test(word)).length
  if (numbers === 0) return 'word'
  return numbers < words.length ? 'stated' : 'number'
}

/** Whether a record is a footer that states its number, so that a file that ends with it is not cut off. */
export function isStatedSum(cells: readonly unknown[]): boolean {
  const filled = cells.map(memberText).filter((text) => text !== '')
  if (filled.length === 1 && isCount(must(filled[0]))) return true
  return sumIn(filled[0] ?? '') === 'stated' && filled.slice(1).every(isFigure)
}

const WORDS_OF_SENTENCE = 3
const NOTE_START =
  /^(?:\*+|†|¹|[(<]?(?:hinweis|achtung|stand|anmerkung|note|notice|remark|attention|nb|n\.b|ps|p\.s|uwaga|remarque|nota|opmerking|let op|poznámka|megjegyzés|obs|bemærk|merk|huom|notă|примечание|примітка|not)[:.!]|(?:preise|prices|ceny|prix|precios|prezzi|prijzen|preços|priser|hinnat|árak|prețuri|цены|ціни) )/iu
const PAGE =
  /^(?:page|seite|strona|pagina|página|sida|side|strana|oldal|sivu|страница|сторінка|sayfa)\s*\d+(?:\s*(?:\/|of|von|z|de|di|van|av|af)\s*\d+)?$/iu

/** Whether a cell is a sentence rather than the key or the name of an article. */
export function isSentence(text: string): boolean {
  if (text.length > LENGTH_MAX * 4) return true
  if (/^[-=*_~#.]{3,}$/.test(text)) return true
  if (!text.includes(' ')) return false
  const words = text.match(/(?<![\p{L}\p{N}])\p{L}{2,}(?![\p{L}\p{N}])/gu)?.length ?? 0
  if (NOTE_START.test(text)) return words > 0
  if (PAGE.test(text) || /^[-=*_~]{2,} .* [-=*_~]{2,}$/.test(text)) return true
  // keys such as `AB 12 CD 34 EF` have no words in lower case
  const small = text.match(/(?<![\p{L}\p{N}])\p{Ll}{2,}(?![\p{L}\p{N}])/gu)?.length ?? 0
  return words >= WORDS_OF_SENTENCE && (small >= 1 || !/\d/.test(text))
}

type KeysOf = (row: Row) => readonly string[] | null

/** Recognises the rows of one table that are about no article. */
export class Remarks {
  readonly #width: number
  readonly #header: readonly string[] | undefined
  readonly #keysOf: KeysOf
  #hasSentencesAsKeys = false

  /** @param hasHeader whether `columns` are the names in the file, and not numbers */
  constructor(columns: readonly string[], hasHeader: boolean, keysOf: KeysOf) {
    this.#width = columns.length
    this.#header = hasHeader
      ? columns.map((name, place) => (name === `#${place + 1}` ? '' : name.trim().toLowerCase()))
      : undefined
    this.#keysOf = keysOf
  }

  /** Records the key of an article: in a table whose keys are sentences, a row with nothing but a key is no note. */
  article(key: string): void {
    if (!this.#hasSentencesAsKeys && isSentence(key)) this.#hasSentencesAsKeys = true
  }

  /** What a record is; null: an article. @param cells may be fewer than the columns */
  of(cells: readonly unknown[]): Remark | null {
    if (this.#width < 2 || cells.length > this.#width) return null
    const place = cells.findIndex((cell) => memberText(cell) !== '')
    if (place === -1) return null
    const first = memberText(cells[place])
    if (this.#isHeader(cells)) return 'header'
    const isAlone = cells.every((cell, at) => at <= place || memberText(cell) === '')
    const sum = sumIn(first)
    if (sum !== null && (isAlone || sum !== 'number') && this.#isSum(cells, place)) return 'sum'
    if (isAlone && isCount(first)) return 'sum'
    if (isAlone && isFooter(first)) return 'note'
    return isAlone && isSentence(first) && !(this.#hasSentencesAsKeys && this.#keyOf(cells) !== null) ? 'note' : null
  }

  #isHeader(cells: readonly unknown[]): boolean {
    const header = this.#header
    return header?.every((name, place) => memberText(cells[place]).toLowerCase() === name) === true
  }

  /** Not a sum if a cell other than the word's has a key: `Total` is also a brand. */
  #isSum(cells: readonly unknown[], place: number): boolean {
    if (!cells.every((cell, at) => at <= place || isFigure(memberText(cell)))) return false
    const key = this.#keyOf(cells)
    return key === null || key === this.#keyOf(cells.map((cell, at) => (at === place ? cell : '')))
  }

  #keyOf(cells: readonly unknown[]): string | null {
    return this.#keysOf(this.whole(cells))?.[0] ?? null
  }

  /** The cells, filled up with empty ones to the number of columns. */
  whole(cells: readonly unknown[]): readonly unknown[] {
    return cells.length === this.#width ? cells : Array.from({ length: this.#width }, (_, at) => cells[at] ?? '')
  }
}
