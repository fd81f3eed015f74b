import { guessByName } from './column-names.ts'
import { priceKindOf, sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { optionsAmong } from './propose-options.ts'
import { share, type Column } from './sample-columns.ts'
import { isCost, isDecimal } from './value-kinds.ts'

// Titles and costs of files in which no column is called like one: by their values, and with a question.

const TITLE_CHARACTERS = { min: 4, max: 150 }
/** The share of values that must be what a column is taken for. */
const MOST = 0.8
/** Columns of amounts that are no prices of articles. */
const OTHER_AMOUNTS =
  /weight|gewicht|waga|poids|peso|length|width|height|depth|breite|länge|höhe|volume|vat|tax|mwst|steuer|%|rating|lat|lng|altura|largura|comprimento|ancho|alto|largo|profundidad|hoogte|breedte|lengte|szerokość|wysokość|długość|výška|šířka|délka|hauteur|largeur|longueur|altezza|larghezza|discount|rabatt|margin|marge|\((?:cm|mm|m|kg|g|l|ml|in|w|v|days?)\)/i

const average = (values: readonly string[]) => values.reduce((sum, value) => sum + value.length, 0) / values.length

const isTitle = (value: string) => /\p{L}{3}/u.test(value) && !/^https?:|^<|@|\.\w{3,4}$/i.test(value)

function isListOfTitles({ values, isList }: Column): boolean {
  if (isList || values.length === 0 || share(values, isTitle) < MOST) return false
  const length = average(values)
  if (length < TITLE_CHARACTERS.min || length > TITLE_CHARACTERS.max) return false
  // words of one kind, such as units and categories, repeat
  return new Set(values).size >= values.length * MOST && share(values, (value) => /\s/.test(value)) >= 0.3
}

/** Columns that are called like an article and nothing else: its name, where they have texts. */
const ARTICLE =
  /^(?:products?|produkte?|produkty?|items?|parts?|articles?|artikel|artykuł|articulo|artículo|articolo|artigo|produto|produit|producto|prodotto|models?|modell|ürün|товар|προϊόν)$/iu

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

/** Fills the fields of a title and a cost where no name of a column shows them. */
export function proposeByValues(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): void {
  const has = (field: string) => Object.keys(fields).some((name) => name === field || name.startsWith(`${field}.`))
  const take = (field: string, { name }: Column, reason: string) => {
    fields[field] = name
    used.add(name)
    note(`fields.${field}`, `${JSON.stringify(name)}: ${reason}`)
  }
  if (!has('title')) {
    const options = new Set(optionsAmong(columns.map(({ name }) => name)).values)
    const titles = columns.filter((column) => !options.has(column.name) && isListOfTitles(column))
    const description = columns.find(({ name }) => name === fields['description'])
    const short = description !== undefined && average(description.values) <= TITLE_CHARACTERS.max
    const isMarkup = description?.values.some((value) => /<\/?[a-z]+>/i.test(value)) === true
    const named = titles.find(({ name }) => ARTICLE.test(name))
    const found =
      named ?? titles.find(({ name }) => !used.has(name)) ?? titles.find(({ name }) => name === fields['sku'])
    if (description !== undefined && short && !isMarkup && named === undefined) {
      delete fields['description']
      take('title', description, 'its texts are short, and no other column is called like a title')
    } else if (found !== undefined) {
      take('title', found, 'no column is called like a title, and its values are texts that differ')
      ask(`is ${JSON.stringify(found.name)} the title of the articles? It is taken for it by its values alone`, 'title')
    } else ask('no column was found for the title: which one is it?', 'title')
  }
  if (!has('cost')) proposeCost(columns, prices, take, has, used, ask)
  if (!has('quantity'))
    ask('no column was found for the quantity: offers keep the one that they have, and new ones have none', 'quantity')
}

function proposeCost(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  take: (field: string, column: Column, reason: string) => void,
  has: (field: string) => boolean,
  used: ReadonlySet<string>,
  ask: Asked['ask'],
): void {
  // what the shop sells at, without VAT rather than with it
  const [selling] = prices
    .filter(({ column }) => !used.has(column))
    .toSorted((a, b) => Number(b.vat === 'excluded') - Number(a.vat === 'excluded'))
  const sold = columns.find(({ name }) => name === selling?.column)
  if (selling !== undefined && sold !== undefined && !has('cost')) {
    take(
      'cost',
      sold,
      `its values are amounts, and no column is called like a cost. But ${sellingPriceReason(selling)}`,
    )
    return
  }
  const amounts = columns.filter(
    ({ name, values, isList }) =>
      !isList &&
      !used.has(name) &&
      !OTHER_AMOUNTS.test(name) &&
      values.length > 0 &&
      share(values, isCost) >= MOST &&
      share(values, isDecimal) >= 0.5,
  )
  const [found] = amounts
  if (found !== undefined && amounts.length === 1 && guessByName(found.name).length === 0) {
    take('cost', found, 'no column is called like a cost, and it is the only one with amounts')
    if (priceKindOf(found.name) === undefined)
      ask(
        `is ${JSON.stringify(found.name)} what you pay for the articles? It is taken for it by its values alone`,
        'cost',
      )
  } else ask('no column was found for the cost: which one is it?', 'cost')
}
