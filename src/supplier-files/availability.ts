/** The meanings that a word about availability can have. */
const STATES = ['inStock', 'low', 'unlimited', 'outOfStock', 'preorder', 'backorder'] as const
/** A meaning of a word about availability. */
export type AvailabilityState = (typeof STATES)[number]

/** The settings of a mapping for words: how many pieces each meaning counts as, and additional words. */
export interface AvailabilitySettings extends Partial<Record<AvailabilityState, number>> {
  words?: Record<string, AvailabilityState>
}

/** Returns the pieces that a text such as `in stock` counts as; undefined for other texts. */
export type CountAvailability = (text: string) => number | undefined

/** Words of shops and suppliers in several languages, in lower case, with single blanks for `_` and `-`. */
const WORDS: Readonly<Record<AvailabilityState, string>> = {
  inStock:
    'in stock|instock|available|yes|y|true|on stock|limited availability|in store only|' +
    'lieferbar|auf lager|ab lager|am lager|sofort lieferbar|sofort verfügbar|lagernd|verfügbar|vorrätig|ja|wahr|' +
    'dostępny|dostępna|dostępne|na stanie|w magazynie|tak|jest|' +
    'en stock|disponible|oui|sí|si|en existencias|disponibile|in magazzino|sì|' +
    'op voorraad|leverbaar|direct leverbaar|skladem|ano|na sklade|áno|raktáron|készleten|igen|i lager|på lager|varastossa|' +
    'var|stokta|stokta var|mevcut|evet|в наличии|есть|есть в наличии|склад|на складе|есть на складе|на складі|да|в наявності|є|є в наявності|так|em estoque|em stock|sim|în stoc|in stoc|da|na zalihi|διαθέσιμο|άμεσα διαθέσιμο|ναι|в наличност',
  low:
    'low stock|limited|few left|low|geringer bestand|wenige verfügbar|mało|ostatnie sztuki|' +
    'stock limité|pocas unidades|poslední kusy|beperkt op voorraad',
  unlimited:
    'unlimited|∞|infinite|infinity|inf|endless|unbegrenzt|unendlich|unlimitiert|nicht begrenzt|' +
    'nieograniczony|nieograniczona|nieograniczone|bez ograniczeń|bez limitu|' +
    'illimité|illimitée|ilimitado|ilimitada|illimitato|illimitata|onbeperkt|neomezeno|neomezené|neobmedzené|korlátlan|obegränsad|obegränsat|ubegrenset|ubegrænset|rajoittamaton|nelimitat',
  outOfStock:
    'out of stock|outofstock|in transit|reserved|reserviert|sold out|soldout|unavailable|not available|no|n|none|false|discontinued|' +
    'nicht lieferbar|derzeit nicht lieferbar|nicht mehr lieferbar|nicht auf lager|nicht am lager|nicht vorrätig|ausverkauft|vergriffen|nicht verfügbar|nein|falsch|' +
    'niedostępny|niedostępna|niedostępne|brak|nie|wyprzedany|wyprzedane|' +
    'rupture|rupture de stock|en rupture|en rupture de stock|épuisé|indisponible|non disponible|non|agotado|sin stock|sin existencias|no disponible|esaurito|non disponibile|' +
    'niet op voorraad|niet leverbaar|uitverkocht|nee|vyprodáno|není skladem|není|ne|nincs|elfogyott|slutsåld|udsolgt|' +
    'yok|stokta yok|tükendi|hayır|нет в наличии|нет|ожидается|ожидаем|ожидание|в пути|транзит|в транзите|резерв|в резерве|очікується|очікуємо|отсутствует|немає|немає в наявності|ні|esgotado|sem estoque|não|nao|indisponivel|indisponível|stoc epuizat|nu|nema|rasprodano|εξαντλημένο|μη διαθέσιμο|όχι|няма|изчерпан',
  preorder: 'preorder|pre order|presale|vorbestellbar|vorbestellung|przedsprzedaż|précommande|preventa|předobjednávka',
  backorder:
    'backorder|back order|on backorder|onbackorder|on order|available for order|made to order|' +
    'bestellbar|auf bestellung|nachbestellt|na zamówienie|sur commande|bajo pedido|su ordinazione|na objednávku|под заказ|під замовлення|sob encomenda|sipariş üzerine|la comandă|κατόπιν παραγγελίας|διαθέσιμο κατόπιν παραγγελίας',
}

/**
 * The pieces that are proposed for an unlimited stock: enough that no shop runs out, and not so many that they look
 * like an error.
 */
export const UNLIMITED_PIECES = 1_000

/** `unlimited` counts as `inStock` does, unless the mapping has a number for it. */
const COUNTS: Readonly<Record<Exclude<AvailabilityState, 'unlimited'>, number>> = {
  inStock: 1,
  low: 1,
  outOfStock: 0,
  preorder: 0,
  backorder: 0,
}

const known = new Map<string, AvailabilityState>(
  STATES.flatMap((state) => WORDS[state].split('|').map((word): [string, AvailabilityState] => [word, state])),
)

/** Reduces `http://schema.org/InStock` and `in_stock` to `in stock`. */
function normalized(text: string): string {
  return text
    .replace(/^https?:\/\/schema\.org\//i, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/[.!]+$/, '')
    .trim()
}

/** The meaning of a word, by the known words alone; undefined if it is none of them. */
export const stateOf = (text: string): AvailabilityState | undefined => known.get(normalized(text))

/** Compiles the settings of a mapping into a function that counts words. */
export function compileAvailability(settings: AvailabilitySettings = {}): CountAvailability {
  const own = new Map(Object.entries(settings.words ?? {}).map(([word, state]) => [normalized(word), state]))
  return (text) => {
    const word = normalized(text)
    const state = own.get(word) ?? known.get(word)
    if (state === undefined) return undefined
    if (settings[state] !== undefined) return settings[state]
    const counted = state === 'unlimited' ? 'inStock' : state
    return settings[counted] ?? COUNTS[counted]
  }
}
