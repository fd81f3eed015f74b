import { guessByName } from './column-names.ts'
import { priceKindOf } from './price-columns.ts'
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

/** Fills the fields of a title and a cost where no name of a column shows them. */
export function proposeByValues(
  columns: readonly Column[],
  fields: Record<string, unknown>,
  used: Set<string>,
  note: (path: string, reason: string) => void,
  ask: (question: string) => void,
): void {
  const has = (field: string) => Object.keys(fields).some((name) => name === field || name.startsWith(`${field}.`))
  const take = (field: string, { name }: Column, reason: string) => {
    fields[field] = name
    used.add(name)
    note(`fields.${field}`, `${JSON.stringify(name)}: ${reason}`)
  }
  if (!has('title')) {
    const description = columns.find(({ name }) => name === fields['description'])
    const short = description !== undefined && average(description.values) <= TITLE_CHARACTERS.max
    const isMarkup = description?.values.some((value) => /<\/?[a-z]+>/i.test(value)) === true
    const found = columns.find((column) => !used.has(column.name) && isListOfTitles(column))
    if (description !== undefined && short && !isMarkup) {
      delete fields['description']
      take('title', description, 'its texts are short, and no other column is called like a title')
    } else if (found !== undefined) {
      take('title', found, 'no column is called like a title, and its values are texts that differ')
      ask(`is ${JSON.stringify(found.name)} the title of the articles? It is taken for it by its values alone`)
    } else ask('no column was found for the title: which one is it?')
  }
  if (!has('cost')) {
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
        ask(`is ${JSON.stringify(found.name)} what you pay for the articles? It is taken for it by its values alone`)
    } else ask('no column was found for the cost: which one is it?')
  }
  if (!has('quantity'))
    ask('no column was found for the quantity: offers keep the one that they have, and new ones have none')
}
