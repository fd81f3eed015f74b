// Finds the fields that a column may be by its name.

import { splitCurrency } from './name-currencies.ts'
import type { MappedField } from '../../../contract/product-fields.ts'
import { NAMES, type Names } from './known-names.ts'
import { NAMES_BEYOND_EUROPE } from './names-beyond-europe.ts'

/**
 * A field that a column may be by its name, with the languages of the name. `score`: 3 for a known name, 2.5 for one with a number, below 2 for a
 * part of a name.
 */
export interface NameGuess {
  field: MappedField
  languages: readonly string[]
  score: number
  /** The language of its texts, if the name states it: `name:de`, `description-en_US-ecommerce`. */
  locale?: string
  /** The currency of its amounts, if the name states it: `price-EUR`. */
  currency?: string
}

/** Names that mean something else as part of a longer one, as in `item group id` and `Umsatz netto`. */
const WHOLE_ONLY = new Set(
  (
    'handle clave informacion netto group material article artikel numer menge aantal stock model pieces wholesale produto articulo articolo artigo saldo lager antal ' +
    'disponible disponibile inventario magazzino listino tarifa preciooriginal originalprice costo inkoop koodi pocet count namn barcodes number stoku sifra ' +
    'koszt kodas kods kood kogus kiekis kaina cena hind alis остатки товар номенклатура закупка наскладе склад раздел группа фото gruppe'
  ).split(' '),
)
/** Words by which a price is not the merchant's cost, or a quantity not the stock. */
const OTHER_AMOUNT =
  /umsatz|uvp|maintain|brutto|verkauf|show|pseudo|compare|old|alt|rabatt|discount|msrp|rrp|min|max|group|tax(?!ex)|grund|base|unit(?!price|ar|air)|track|manage|controlar|permitir|decimal|canbe|allow|low|policy|backorder|require|continue|location|incoming|unavailable|committed|reserv|rezerv|rezerw|pending|notify|threshold|message|(?<!stock)status|shipping|delivery|payment|versand|surcharge|special|lineitem|ordered|sold|perpack|packsize|packqty|percarton|perbox|moq|стар|розн|достав|скидк|знижк|уценк|мин|перечерк|перекресл|lama|gammal|vecchi|viej|ancien|eski|stara|staro|regi$/
/** Columns that are called like a stock or a cost and are none: they state whether stock is tracked, or what happens when it runs out. */
const NO_AMOUNT =
  /track|manage|maintain|allow|controlar|permitir|decimal|canbe|lowstock|stocklow|policy|backorder|notify|threshold|incoming|unavailable|committed|reserv|rezerv|rezerw|pending|lineitem|ordered|reorder|inpos|safetystock|картин|image|photo|фото|picture/

/** Words for the number of pieces in a pack, in several languages: `Cantidad x caja`, `Menge pro Karton`, `Sztuk w opakowaniu`. */
const IN_A_PACK =
  /caja|bulto|empaque|caixa|fardo|karton|carton|colis|conditionnement|confezion|imballo|opak|krabic|bal[eu]n|doos|verpakking|verpack|\bvpe|\bpack|perpack|pallet|palet|koli(?!c)|kutu|упаков|короб|ящик|кашон/u
const STOCK =
  /stock|bestand|lager|estoque|existenc|giacenz|voorraad|skladem|^stan|stoc|zaliha|készlet|остат|залиш|склад/u

/** The scores of keys that are internal ids of a system, or less specific. They rank below those by which people order. */
const WEAK_KEYS: Readonly<Record<string, number>> = {
  id: 2,
  uuid: 1.9,
  externalid: 2,
  productid: 2,
  itemid: 2.2,
  numer: 2.3,
  plu: 2.3,
  // of a product, in exports of Shopify; its values have to look like it (isSlugs)
  handle: 1.8,
  plucode: 2.3,
  model: 2.3,
  modelnumber: 2.4,
  material: 2.5,
  artikel: 2.5,
  article: 2.5,
  item: 2.5,
  code: 2.7,
  itemnumber: 2.8,
  reference: 2.8,
  supplierreference: 2.6,
  vendorsku: 2.9,
  suppliersku: 2.9,
}

/** Whether a name has at least three characters of a script that needs few of them for a word. */
const isIdeographic = (name: string) => name.length >= 3 && /^[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}]/u.test(name)

/** Whether a longer name contains a known one, and with the same meaning. */
function isPart(known: string, name: string, field: string): boolean {
  if ((known.length <= 4 && !IDEOGRAPHIC.has(known)) || WHOLE_ONLY.has(known) || !name.includes(known)) return false
  // an initial price is the one before a reduction; an initial stock is a stock
  if (field === 'cost' && name.includes('initial')) return false
  return (field !== 'cost' && field !== 'quantity') || !OTHER_AMOUNT.test(name.replace(known, ''))
}

const WITHOUT_MARK: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', ς: 'σ' }
/** Replaces lower-case letters that NFD does not decompose: `førpris` becomes `forpris`. */
export const withLetters = (text: string): string =>
  text.replace(/[łøđıæς]/g, (letter) => WITHOUT_MARK[letter] ?? letter)
/** Shorter names keep their marks, because without them they would be other words: `ár` is a price, `ar` is not. */
const FOLDED_LENGTH_MIN = 4

/** The letters and digits of a name, in lower case; longer names without diacritical marks, which many leave out. */
function simplified(column: string): string {
  const name = column.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  if (name.length < FOLDED_LENGTH_MIN || /^[a-z0-9]*$/.test(name)) return name
  return withLetters(name.normalize('NFD').replace(/\p{M}/gu, ''))
}

/** Longer names are texts. */
const NAME_LENGTH_MAX = 200

/**
 * The fields that a column may be by its name, the best first. A number at the end, as in `Image 2`, is ignored, and so are additions of systems:
 * `*Title`, `Product ID [Non Editable]`, `Variant SKU`.
 */
export function guessByName(column: string): NameGuess[] {
  if (column.length > NAME_LENGTH_MAX) return []
  const name = withoutNotes(column).replace(AS_SHOWN, '')
  // split at the dots of a path, but not at those of abbreviations such as `Rek. pris`
  const parts = name.split(/\.(?!\s)/).filter((part) => part.trim() !== '')
  if (parts.length > 1 && (OF_A_SYSTEM.test(parts.at(-1) ?? '') || parts.slice(0, -1).some(isOfThePage))) return []
  const own = guessBySimplified(simplified((isAmountOfPrice(parts) ? parts.at(-2) : parts.at(-1)) ?? name))
  const named = own[0]?.field === 'title' ? whatIsNamed(parts) : []
  if (named.length > 0) return named
  const guesses = (own.length > 0 ? own : guessBySimplified(simplified(name)))
    .filter(isSaidOf(parts))
    .map((guess) => (guess.field === 'cost' && parts.slice(0, -1).some(isWithoutTax) ? netFirst(guess) : guess))
  // with notes such as `(€)`, which `name` does not have any more
  const inCurrency = guessInCurrency(column.trim().replace(AMOUNT_OF_CURRENCY, '$1 $2')).filter(isSaidOf(parts))
  if (inCurrency.length > 0) return inCurrency
  if (guesses.some(({ score }) => score >= SURE)) return guesses
  const inLanguage = guessInLanguage(name)
  if (inLanguage.length > 0) return inLanguage
  const byToken = guesses.length > 0 ? [] : guessByTokens(name)
  if (byToken.length > 0) return byToken
  const bare = name.replace(OF_A_PRODUCT, '')
  const short = bare === name ? [] : guessByName(bare).filter(({ score }) => score >= SURE)
  if (short.length > 0) return short.map((guess) => ({ ...guess, score: guess.score - 0.2 }))
  const either = guessByEither(name)
  return either.length > 0 ? either : guesses
}

/**
 * The last part of paths to plain values: rendered texts of WordPress, texts of XML elements as programs write them, and numbers of MongoDB:
 * `title.rendered`, `price._`, `price.$numberDouble`.
 */
const AS_SHOWN = /(?<=.)\.(?:rendered|_|\$|\$t|_text|_cdata|\$number(?:Int|Long|Double|Decimal)|\$oid)$/
/** Names of a system's metadata, such as Sanity's: `category._type` is no category. */
const OF_A_SYSTEM =
  /^[_$]_?(?:type|typename|class|index|ref|db|key|rev|weak|schema|system|originalId|createdAt|updatedAt|version|v)$/
/** Whether a part of a path is about the web page of an article, for search engines and social networks. */
const isOfThePage = (part: string) =>
  /^(?:yoast|rank_?math|aioseo|og$|open_?graph|twitter|schema$|@graph$|_links$|_embedded$)/i.test(part)

/** The manufacturer or category that a path names, such as `brand.name`, which is no title of articles. */
function whatIsNamed(parts: readonly string[]): NameGuess[] {
  const of = simplified(parts.length < 2 ? '' : (parts.at(-2) ?? ''))
  // a group may be one of versions
  if (of === '' || KINDS_OF_ARTICLES.has(of)) return []
  return guessBySimplified(of).filter(
    ({ field, score }) => score >= SURE && (field === 'manufacturer' || field === 'category'),
  )
}

/** Names of members of a price that identify or describe something, and are no amount: `prices.price.@cityId`. */
const NUMBER_OF_SOMETHING = /(?:^@?|[\s_-]|(?<=\p{Ll}))(?:[iI][dD]|[cC]ode|[nN]o|[nN]r|[tT]ype|[nN]ame)$/u
const isSaidOf = (parts: readonly string[]) => {
  const around = parts.slice(0, -1).map(wordsOf)
  const isOther =
    around.length > 0 &&
    (NUMBER_OF_SOMETHING.test(parts.at(-1) ?? '') || around.some((words) => isAbout(words, PAID_BESIDE)))
  const isSent = around.some((words) => isAbout(words, SENDING))
  return ({ field }: NameGuess) =>
    (field !== 'cost' && field !== 'quantity' && field !== 'list_price') ||
    // a quantity within a delivery still counts
    !(isOther || (isSent && field !== 'quantity'))
}

/** Words for costs besides the article, and for deductions from its price. Whole words, because `Lieferant` and `feed` contain others. */
const SENDING = new Set(
  (
    'shipping delivery freight postage versand versandkosten lieferung lieferkosten fracht frachtkosten wysyłka dostawa ' +
    'доставка'
  ).split(' '),
)
const TAXES = 'tax taxes vat steuer steuern mwst ust podatek podatki iva tva btw dph moms'.split(' ')
const PAID_BESIDE = new Set([
  ...TAXES,
  ...(
    'deposit deposits pfand kaucja fee fees gebühr gebühren opłata opłaty surcharge surcharges zuschlag zuschläge ' +
    'duty duties insurance versicherung discount discounts rabatt rabatte rabat rabaty'
  ).split(' '),
])
const WITHOUT = 'ex excl exclude excluded excluding exclusive exkl without ohne bez sin sans net netto'.split(' ')
/** Words by which a price is nevertheless that of the article: `with_vat`, `after_discount`. */
const OF_THE_ARTICLE = new Set([
  ...WITHOUT,
  ...'with incl include included including inclusive inkl mit gross brutto after nach before vor less po przed'.split(
    ' ',
  ),
])

const isAbout = (words: readonly string[], others: ReadonlySet<string>): boolean =>
  words.some((word) => others.has(word)) && !words.some((word) => OF_THE_ARTICLE.has(word))

/** Whether a part of a path states that the price in it excludes tax: `excl_vat.price`. */
function isWithoutTax(part: string): boolean {
  const words = wordsOf(part)
  return words.some((word) => TAXES.includes(word)) && words.some((word) => WITHOUT.includes(word))
}
/** Ranks a price without tax above one with the same name that may include it. */
const netFirst = (guess: NameGuess): NameGuess => ({ ...guess, score: guess.score + 0.1 })

/** Whether a path is the amount of a price with its currency beside it: `price.amount`, but not `item.amount` or `shipping.price.amount`. */
const isAmountOfPrice = (parts: readonly string[]): boolean =>
  parts.length > 1 &&
  /^(?:amount|value)$/i.test(parts.at(-1) ?? '') &&
  guessBySimplified(simplified(parts.at(-2) ?? ''))
    .filter(isSaidOf(parts))
    .some(({ field, score }) => score >= SURE && (field === 'cost' || field === 'list_price'))

/**
 * The fields of names with several words for one thing: `EAN / GTIN / barcode`, `Fabricante / Marca`. For a cost or a stock, every word must agree:
 * `Stock (reserved)` and `Cost (shipping)` are other amounts, as `SKU (parent)` is another key.
 */
function guessByEither(name: string): NameGuess[] {
  const words = name
    .split(/\s+[/|]\s+|\s*\((?=\p{L})|\)$/u)
    .map(simplified)
    .filter((word) => word !== '')
  if (words.length < 2 || words.length > EITHER_MAX) return []
  const guesses = words.map((word) => guessBySimplified(word).filter(({ score }) => score >= SURE))
  const isSaid = (field: MappedField) =>
    words.every(
      (word, place) =>
        guesses[place]?.some((guess) => guess.field === field) === true || QUALIFIERS[field]?.test(word) === true,
    )
  const isOtherKey = OTHER_KEY.test(words.join(' '))
  const needsAll = (field: MappedField) => field === 'cost' || field === 'quantity' || (field === 'sku' && isOtherKey)
  const first = guesses.find((sure) => sure.length > 0) ?? []
  return first
    .filter(({ field }) => !needsAll(field) || isSaid(field))
    .map((guess) => ({ ...guess, score: guess.score - 0.2 }))
}
/** Words that may qualify the amount that is meant. */
const QUALIFIERS: Readonly<Partial<Record<MappedField, RegExp>>> = {
  cost: /^(?:net|netto|ht|(?:per)?(?:unit|piece|item|each)|purchase|einkauf|zakup|hurt|dealer|b2b|(?:tax|vat|iva|mwst|moms)?(?:excl|excluded|incl|included)|(?:excl?|excluding|incl|including|without|ohne|sin|bez|exkl)(?:tax|vat|iva|mwst|ust|dph|moms))$/,
  quantity: /^(?:total|gesamt|summe|razem|totale|totaal|celkem|free|frei|units?|current|actual|now|aktuell)$/,
}
const EITHER_MAX = 5

/**
 * Words that identify a column wherever they are in its name, as in `sku_shop` and `EAN (unit)`. They are too short to be searched as parts of words.
 */
const TOKENS: Readonly<Record<string, { field: MappedField; score: number }>> = {
  sku: { field: 'sku', score: 2.6 },
  ean: { field: 'ean', score: 2.4 },
  ean13: { field: 'ean', score: 2.4 },
  gtin: { field: 'ean', score: 2.4 },
  upc: { field: 'ean', score: 2.3 },
  qty: { field: 'quantity', score: 2.4 },
  mpn: { field: 'mpn', score: 2.4 },
  rrp: { field: 'list_price', score: 2.4 },
  msrp: { field: 'list_price', score: 2.4 },
  uvp: { field: 'list_price', score: 2.4 },
  upe: { field: 'list_price', score: 2.4 },
  pvpr: { field: 'list_price', score: 2.4 },
  ррц: { field: 'list_price', score: 2.4 },
  stock: { field: 'quantity', score: 1.5 },
  bestand: { field: 'quantity', score: 1.5 },
  stok: { field: 'quantity', score: 1.5 },
  voorraad: { field: 'quantity', score: 1.5 },
  dispo: { field: 'quantity', score: 1.5 },
  disponible: { field: 'quantity', score: 1.5 },
  залишок: { field: 'quantity', score: 1.5 },
  остаток: { field: 'quantity', score: 1.5 },
}
const OTHER_KEY = /parent|group|master|count|type|has|valid|vater|haupt|gruppe|rodzic|nadrz/

function guessByTokens(name: string): NameGuess[] {
  if (OTHER_KEY.test(name.toLowerCase())) return []
  const isOther = OTHER_AMOUNT.test(simplified(name))
  const known = wordsOf(name).flatMap((token) => (Object.hasOwn(TOKENS, token) ? (TOKENS[token] ?? []) : []))
  const [best] = known
    .filter(({ field }) => field !== 'quantity' || !isOther)
    // `Ціна РРЦ` is more specific than a price
    .toSorted((a, b) => b.score - a.score)
  return best === undefined ? [] : [{ ...best, languages: [] }]
}

const wordsOf = (name: string) =>
  name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    // a remainder of lower-casing Turkish İ: FİYAT
    .replaceAll('\u0307', '')
    .split(/[^\p{L}\p{N}]+/u)

const PRICE_WORDS = new Set(
  'цена цены ціна ціни cena ceny prix pris prijs preis price precio prezzo preço preco fiyat fiyatı hinta ár preț pret cijena kaina hind τιμή harga giá قیمت liste listesi'.split(
    ' ',
  ),
)
/** Words by which a price is not the merchant's, or not that of an article, as `simplified` writes them. */
const OTHER_PRICE =
  /livraison|expedition|envio|spedizion|transp|doprav|dostaw|kargo|szallit|emballage|embalaje|imballag|embalagem|verpack|opakow|upakow|paczk|obal|ambalaj|упаков|фасов|продаж|реализ|мрц|ррц|мин|рекоменд|doporu|odporuc|conseill|recom|consigliat|sugerid|suggest|klient|клиент|клієнт|client|kund|musteri|prodej|prodaj|predaj|sprzed|vente|venta|venda|vendit|vanzare|satis|salj|salg|myynti|elada|detal|maloob|perakende|promo|акци|акці|fecha|datum|(?<!up)date(?!d)|дата|tarih/

/** Whether a name has a word for a price and no known meaning otherwise: it may be the cost, and the merchant has to be asked. */
export function isCalledPrice(column: string): boolean {
  if (column.length > NAME_LENGTH_MAX || OTHER_KEY.test(column.toLowerCase())) return false
  const name = simplified(withoutNotes(column))
  return (
    wordsOf(column).some((word) => PRICE_WORDS.has(word)) &&
    (name === 'baseprice' || !OTHER_AMOUNT.test(name)) &&
    !OTHER_PRICE.test(name) &&
    guessByName(column).length === 0
  )
}

const BASE_PRICE =
  /^(?:base|basis)(?:price|preis)$|^(?:precio|preco|prezzo|prix(?:de)?)base$|^basisprijs$|^cena(?:bazowa|zakladni|zakladna)$/

/** The words of a name beside the one for a price: `nakit` in `NAKİT FİYAT`. Undefined if it has no word for a price, or means another amount. */
export function otherWordsOfPriceName(column: string): string[] | undefined {
  if (column.length > NAME_LENGTH_MAX) return undefined
  const name = simplified(withoutNotes(column))
  const words = wordsOf(withoutNotes(column)).filter((word) => word !== '')
  const others = words.filter((word) => !PRICE_WORDS.has(word))
  // a base price is the general one beside a price in cash
  if (BASE_PRICE.test(name)) return ['base']
  return others.length === words.length || OTHER_AMOUNT.test(name) || OTHER_PRICE.test(name) ? undefined : others
}

/** The score from which a whole name is known, and not only a part of it. */
const SURE = 2
const OF_A_PRODUCT = /^(?:variant|product|item|produkt|artikel)[\s_-]+(?=\p{L})/iu
/** Additions to a name: the number of one of several equal names, signs of required columns, and notes in brackets. */
const NOTES =
  /^[*#\s]+|[*\s]+$|(?<=.)#\d{1,3}$|\s*\[[^\]]{3,40}\]\s*$|\s*[(（](?:税抜き?|税込み?|税別|本体)[)）]\s*$|\s*\((?:not editable|current|new|optional|required|pflicht)\)\s*$/giu
/** A unit or currency after a comma or in brackets: `Залишок, шт`, `P. coste (€)`. */
const COUNTED_IN =
  /(?:[,/]\s*|\s*[([]\s*|\s+(?=[€$£₴₽]))(?:[€$£₴₽]|грн|руб(?:л[иь]|лей)?|гривень|гривні|zł|kč|ft|lei|kr|шт|szt|stk|stück|pcs|pz|uds?|ks|db|st|kpl|tk|gab|vnt)\.?\s*[)\]]?$/iu
const withoutNotes = (column: string) => column.replace(NOTES, '').replace(COUNTED_IN, '')

const LANGUAGES = new Set(
  'bg cs da de el en es et fi fr hr hu it lt lv nb nl no pl pt ro ru sk sl sr sv tr uk zh ja'.split(' '),
)
/** Country codes that are often written instead of the language: `name_ua`. */
const LANGUAGE_OF_COUNTRY: Readonly<Record<string, string>> = {
  ua: 'uk',
  cz: 'cs',
  gr: 'el',
  dk: 'da',
  se: 'sv',
  ee: 'et',
  si: 'sl',
  rs: 'sr',
  jp: 'ja',
  cn: 'zh',
  gb: 'en',
  br: 'pt',
}
const IN_LANGUAGE =
  /^(.{2,60}?)(?:[:@._-]|\s*[([]|\s(?=[A-Z]{2}$))([a-z]{2})(?:[-_]([a-z]{2}))?[)\]]?(?:-[a-z_]{1,30})?$/iu
/** A language at the end of a name: `nameEs`, `titleZh`. `No` means a number rather than Norwegian. */
const LANGUAGE_BEHIND = /^(.{2,58}\p{Ll})(?!No$)(\p{Lu}\p{Ll})$/u
const TEXTS: readonly string[] = ['title', 'description', 'seo_title', 'seo_description']

/** Names of columns that only mention an article; if such a column has texts, they are the articles' names. */
export const ARTICLE =
  /^(?:products?|produkte?|produkty?|items?|parts?|articles?|artikel|artykuł|articulo|artículo|articolo|artigo|produto|produit|producto|prodotto|models?|modell|modelo|modello|modèle|ürün(?:ler)?|товары?|προϊόν|medicines?|drugs?|goods|merchandise|waren?|mercadoria|malzeme|urun|модель|препарат|プロダクト|アイテム)$/iu

/** The text field of a name that states a language. */
function guessInLanguage(name: string): NameGuess[] {
  const apart = IN_LANGUAGE.exec(name)
  const [, base = '', language = '', region] = apart ?? LANGUAGE_BEHIND.exec(name) ?? []
  const code = LANGUAGE_OF_COUNTRY[language.toLowerCase()] ?? language.toLowerCase()
  if (!LANGUAGES.has(code)) return []
  const locale = region === undefined ? code : `${code}-${region.toUpperCase()}`
  const guesses = guessBySimplified(simplified(base)).filter(
    ({ field, score }) => score >= SURE && TEXTS.includes(field),
  )
  // `Product (EN)` is the article's name in a language
  if (guesses.length === 0 && apart !== null && ARTICLE.test(base))
    return [{ field: 'title', languages: [], score: SURE, locale }]
  return guesses.map((guess) => ({ ...guess, languages: [], locale }))
}

/** A member with a currency as its name, in one that is called like a price: `price_data.price.eur`. */
const AMOUNT_OF_CURRENCY = /^(?:.*\.)?([^.]{2,40})\.([a-z]{3})$/iu

/**
 * The price field of a name that states a currency. A sign that several currencies use, such as `kr`, is removed from the name, too, but no currency
 * is set.
 */
function guessInCurrency(name: string): NameGuess[] {
  const { base, currency } = splitCurrency(name)
  if (currency === undefined) return []
  const bare = base.replace(OF_A_PRODUCT, '')
  return guessBySimplified(simplified(bare))
    .filter(({ field, score }) => score >= SURE && (field === 'cost' || field === 'list_price'))
    .map((guess) => (currency === null ? guess : { ...guess, currency }))
}

/** Whether a text is a known column name, perhaps with a number at its end. */
export function isKnownName(column: string): boolean {
  if (column.length > NAME_LENGTH_MAX) return false
  return [column.split(/\.(?!\s)/).findLast((part) => part.trim() !== '') ?? column, column].some((text) => {
    const name = simplified(withoutNotes(text))
    return KNOWN.has(name) || KNOWN.has(bareOf(name))
  })
}

/** Fields by which a record is recognized as one of an article. */
const OF_ARTICLES: readonly string[] = [
  'sku',
  'ean',
  'title',
  'cost',
  'quantity',
  'images',
  'description',
  'manufacturer',
]

/** The field of articles like which a member is called; undefined if there is none. */
export function fieldOfArticle(name: string): string | undefined {
  const [best] = guessByName(name)
  return best !== undefined && best.score >= SURE && OF_ARTICLES.includes(best.field) ? best.field : undefined
}

const LISTS = (Object.entries(NAMES) as [MappedField, Names][]).map(
  ([field, byLanguage]) =>
    [
      field,
      [...Object.entries(byLanguage), ...Object.entries(NAMES_BEYOND_EUROPE[field] ?? {})].map(
        ([language, names]) => [language, names.split(' ').map(simplified)] as const,
      ),
    ] as const,
)
const KNOWN = new Set(LISTS.flatMap(([, byLanguage]) => byLanguage.flatMap(([, names]) => names)))
const IDEOGRAPHIC = new Set([...KNOWN].filter(isIdeographic))
/** Matches texts that contain any known name. Most columns contain none, and searching for each name separately takes longer. */
const ANY_PART = new RegExp(
  [...KNOWN].filter((name) => (name.length > 4 || IDEOGRAPHIC.has(name)) && !WHOLE_ONLY.has(name)).join('|'),
)

/** Whether a name means a kind of articles, which is the category only if no other column has one: `Product Type`. */
export const isOfKinds = (column: string): boolean => KINDS_OF_ARTICLES.has(simplified(withoutNotes(column)))
/** Names that mean the category only if no other column does. */
const KINDS_OF_ARTICLES = new Set([
  'producttype',
  'tipodeproducto',
  'tipoproducto',
  'group',
  'gruppe',
  'grupa',
  'группа',
])

const bareOf = (name: string) => (name.length > 4 ? name.replace(/\d{1,2}$/, '') : name)

function guessBySimplified(name: string): NameGuess[] {
  const bare = bareOf(name)
  if (!KNOWN.has(name) && !KNOWN.has(bare) && !ANY_PART.test(bare)) return []
  const guesses: NameGuess[] = []
  for (const [field, byLanguage] of LISTS) {
    let score = 0
    let languages: string[] = []
    for (const [language, names] of byLanguage) {
      for (const known of names) {
        const fit = known === name ? 3 : known === bare ? 2.5 : isPart(known, bare, field) ? 1 + known.length / 50 : 0
        if (fit > score) [score, languages] = [fit, [language]]
        else if (fit === score && fit > 0) languages.push(language)
      }
    }
    if (field === 'sku' && score >= 2.5) score = (WEAK_KEYS[name] ?? (name.includes('sku') ? 3.2 : 3)) - (3 - score)
    if (field === 'category' && KINDS_OF_ARTICLES.has(name)) score -= 0.3
    if ((field === 'quantity' || field === 'cost') && NO_AMOUNT.test(name)) score = 0
    if (field === 'quantity' && IN_A_PACK.test(name) && !STOCK.test(name)) score = 0
    if (score > 0) guesses.push({ field, languages, score })
  }
  // `Precio recomendado` and `Manufacturer suggested retail price` contain names of other fields
  const recommended = guesses.find(({ field }) => field === 'list_price')?.score ?? 0
  const kept = guesses.filter(({ field, score }) => field === 'list_price' || score > recommended)
  return kept.toSorted((a, b) => b.score - a.score)
}
