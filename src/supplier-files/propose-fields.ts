import { readCurrency } from '../input/currency.ts'
import { gtinOf } from '../model/gtin.ts'
import { compileAvailability } from './availability.ts'
import { guessByName, type NameGuess } from './column-names.ts'
import { attributeNumber, NumberEvidence, readMoney, readPieces } from './numbers.ts'
import { priceKindOf, sellingPriceReason, type PriceColumn } from './price-columns.ts'
import { memberText, unreadable } from './rows.ts'

const ATTRIBUTES_MAX = 100

/** A column or path of the sample, with its values. */
interface Column {
  name: string
  values: string[]
  isList: boolean
}

type SampleRows = readonly Readonly<Record<string, unknown>>[]
type Note = (path: string, reason: string) => void

/** What a sample of rows shows: the fields, the decimal sign of its prices, and the language of its columns. */
export interface ProposedFields {
  fields: Record<string, unknown>
  decimal: '.' | ',' | undefined
  locale: string
  /** The columns of prices whose names say what they are. */
  prices: PriceColumn[]
}

/** The columns of the rows, and the paths of members within members. */
function columnsOf(rows: SampleRows): Column[] {
  const columns = new Map<string, Column>()
  const add = (name: string, value: unknown, depth: number, isInList = false) => {
    if (Array.isArray(value) && value.some((member) => typeof member === 'object' && member !== null)) {
      for (const member of value.slice(0, 20)) add(name, member, depth, true)
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < 4) {
      for (const [key, member] of Object.entries(value))
        add(key === '#text' ? name : `${name}.${key}`, member, depth + 1, isInList)
    } else {
      const column = columns.get(name) ?? { name, values: [], isList: false }
      columns.set(name, column)
      if (isInList || Array.isArray(value)) column.isList = true
      for (const text of [value].flat().map(memberText)) if (text !== '') column.values.push(text)
    }
  }
  for (const row of rows) for (const [name, value] of Object.entries(row)) add(name, value, 0)
  return [...columns.values()]
}

const countWord = compileAvailability()
const share = (values: readonly string[], test: (value: string) => boolean) =>
  values.length === 0 ? 0 : values.filter(test).length / values.length
const isQuantity = (value: string) => 'value' in readPieces(value, '.', countWord)
const isAmount = (value: string) => 'value' in readMoney(value, '.') || 'value' in readMoney(value, ',')

/** What the values of a column must be like for a field, and how that is said. */
const VALUES: Readonly<
  Record<string, { fits: (column: Column, rows: number) => number; words: string; isOne?: (value: string) => boolean }>
> = {
  sku: {
    fits: ({ values, isList }, rows) =>
      isList ? 0 : new Set(values).size / Math.max(values.length < rows * 0.9 ? rows : values.length, 1),
    words: 'each row has another value',
  },
  ean: {
    fits: ({ values }) => share(values, (value) => gtinOf(value) !== null),
    words: 'its values have the check digit of EANs',
  },
  cost: { fits: ({ values }) => share(values, isAmount), words: 'its values are amounts', isOne: isAmount },
  currency: {
    fits: ({ values }) => share(values, (value) => 'value' in readCurrency(value)),
    words: 'its values are currency codes',
  },
  quantity: {
    fits: ({ values }) => share(values, isQuantity),
    words: 'its values are quantities or words about availability',
    isOne: isQuantity,
  },
  images: {
    fits: ({ values }) => share(values, (value) => /^https?:\/\/|\.(?:jpe?g|png|webp|gif)\b/i.test(value)),
    words: 'its values are addresses of pictures',
  },
  title: { fits: ({ values }) => share(values, (value) => /\p{L}/u.test(value)), words: 'its values are texts' },
  description: { fits: ({ values }) => share(values, (value) => /\p{L}/u.test(value)), words: 'its values are texts' },
  manufacturer: {
    fits: ({ values }) => share(values, (value) => /\p{L}|\d/u.test(value)),
    words: 'its values are names',
  },
  category: { fits: ({ values }) => share(values, (value) => /\p{L}|\d/u.test(value)), words: 'its values are names' },
}

/**
 * The columns of prices whose names say what they are. A purchase price that most rows lack, or have as 0, is none: those that have a
 * price at all are asked.
 */
export function priceColumnsOf(rows: SampleRows): PriceColumn[] {
  return pricesAmong(columnsOf(rows))
}

function pricesAmong(columns: readonly Column[]): PriceColumn[] {
  const amounts = columns.filter(({ values }) => share(values, isAmount) >= NAMED_FIT_MIN)
  const isPriced = ({ name }: Column) =>
    priceKindOf(name) !== undefined || guessByName(name).some(({ field }) => field === 'cost')
  const most = Math.max(0, ...amounts.filter(isPriced).map(({ values }) => values.length))
  return amounts.flatMap(({ name, values }) => {
    const price = priceKindOf(name)
    if (price === undefined) return []
    const filled = values.filter((value) => /[1-9]/.test(value)).length
    return price.kind === 'purchase' && filled < most * FIT_MIN ? [] : [{ column: name, ...price }]
  })
}

/**
 * Proposes the fields of an offer by the names and values of the columns, with a reason for each.
 * @throws ShelfwireError `source-unreadable` when nothing could be the key of the articles
 */
export function proposeFields(rows: SampleRows, note: Note): ProposedFields {
  const lists = namedListsOf(rows)
  const columns = columnsOf(rows).filter(({ name }) => !lists.some(({ list }) => name.startsWith(`${list}.`)))
  const prices = pricesAmong(columns)
  const fields: Record<string, unknown> = {}
  const languages: string[] = []
  const used = new Set(lists.map(({ list }) => list))
  for (const { column, guess, fit } of candidates(columns, prices, rows.length)) {
    if (used.has(column.name)) continue
    const isMany = guess.field === 'images' || guess.field === 'ean'
    if (fields[guess.field] !== undefined && !isMany) continue
    used.add(column.name)
    const source = sourceOf(column, guess.field)
    fields[guess.field] = isMany && fields[guess.field] !== undefined ? [fields[guess.field], source].flat() : source
    if (guess.languages.length === 1) languages.push(...guess.languages)
    const isGappy = guess.field === 'sku' && fit < 1
    const words = isGappy ? 'rows in which it is empty or repeated are refused' : wordsOf(column, guess.field)
    note(
      `fields.${guess.field}`,
      `${JSON.stringify(column.name)}: ${guess.score > 0 ? 'it is called so, and ' : ''}${words}${guess.field === 'cost' ? aboutCost(column.name, prices) : ''}`,
    )
  }
  if (fields['sku'] === undefined) {
    const key = keyAmong(columns, rows.length)
    fields['sku'] = key
    used.add(key)
    note(
      'fields.sku',
      `${JSON.stringify(key)}: the first column with another value in each row; check that it stays the same from file to file`,
    )
  }
  const decimal = proposedDecimal(columns, fields['cost'], note)
  const attributes = columns
    .filter(({ name, values }) => !used.has(name) && values.length > 0 && !name.includes('@xmlns'))
    .filter(({ isList, values }) => !isList && values.every((value) => value.length <= 500))
    .slice(0, ATTRIBUTES_MAX)
    .map(({ name }) => ({ key: name.slice(0, 100), column: name }))
  if (lists.length + attributes.length > 0) {
    fields['attributes'] = [...lists, ...attributes]
    const named =
      lists.length === 0 ? '' : `names with values in ${lists.map(({ list }) => JSON.stringify(list)).join(', ')}; `
    note(
      'fields.attributes',
      `${named}${attributes.length} columns that are nothing else: leave out what shops need not show`,
    )
  }
  const locale = mostFrequent(languages)
  note(
    'locale',
    locale === undefined
      ? 'assumed: nothing shows the language'
      : 'the language of the column names; correct it if texts are in another',
  )
  return { fields, decimal, locale: locale ?? 'en', prices }
}

/** What the values of a column are, and which of them are not. */
function wordsOf(column: Column, field: string): string {
  const { words = '', isOne } = VALUES[field] ?? {}
  const other = isOne === undefined ? undefined : column.values.find((value) => !isOne(value))
  return other === undefined
    ? words
    : `most of ${words}; rows with others, such as ${JSON.stringify(other.slice(0, 60))}, are refused`
}

/** What there is to say of a column from which costs are read. */
function aboutCost(column: string, prices: readonly PriceColumn[]): string {
  const price = prices.find((one) => one.column === column)
  return price?.kind === 'selling' ? `. But ${sellingPriceReason(price)}` : ''
}

/** @throws ShelfwireError `source-unreadable` naming the column that comes nearest */
function keyAmong(columns: readonly Column[], rows: number): string {
  const keys = columns
    .filter(({ isList }) => !isList)
    .map((column) => ({ column, fit: VALUES['sku']?.fits(column, rows) ?? 0 }))
    .toSorted((a, b) => b.fit - a.fit)
  const [best] = keys
  if (best?.fit === 1) return best.column.name
  const { name, values } = best?.column ?? { name: '', values: [] as string[] }
  const repeated = firstRepeated(values)
  const nearest =
    best === undefined || best.fit < 0.5 || repeated === undefined
      ? ''
      : `; ${JSON.stringify(name)} comes nearest, but ${JSON.stringify(repeated.slice(0, 60))} is in several rows`
  throw unreadable(
    `no column has another value in each row: nothing could be the key of the articles${nearest}. Ask the supplier for a column with article numbers, or write a mapping whose "sku" joins several columns`,
  )
}

function firstRepeated(values: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(value).size)
}

const NAME_KEYS = ['@name', 'name', 'attribute_name', 'PARAM_NAME', 'key', '@key', 'label']
const VALUE_KEYS = ['#text', '@value', 'value', 'attribute_value', 'VAL', 'val']
const UNIT_KEYS = ['@unit', 'unit']

/** Lists of names with their values, as in `<param name="Color">red</param>`: attributes, whatever their names are. */
function namedListsOf(rows: SampleRows): { list: string; name: string; value: string; unit?: string }[] {
  const found = new Map<string, { list: string; name: string; value: string; unit?: string }>()
  const look = (path: string, value: unknown, depth: number) => {
    const isList = Array.isArray(value)
    for (const member of [value].flat().slice(0, 20)) {
      if (typeof member !== 'object' || member === null) continue
      const keys = Object.keys(member)
      const [name, text, unit] = [NAME_KEYS, VALUE_KEYS, UNIT_KEYS].map((names) =>
        names.find((one) => keys.includes(one)),
      )
      // an object with a name and a value may be anything; an element that has its name beside its text is not
      const isNamed = name !== undefined && text !== undefined && keys.length <= 4 && (isList || text === '#text')
      if (isNamed && path !== '') {
        const known = found.get(path)
        if (known === undefined)
          found.set(path, { list: path, name, value: text, ...(unit === undefined ? {} : { unit }) })
        else if (unit !== undefined) known.unit = unit
      } else if (depth < 3)
        for (const [key, inner] of Object.entries(member)) look(path === '' ? key : `${path}.${key}`, inner, depth + 1)
    }
  }
  for (const row of rows) look('', row, 0)
  return [...found.values()]
}

const FIT_MIN = 0.8
/** Of the values of a column that is called like a cost or a quantity, how many are one: the rest is refused, which is told. */
const NAMED_FIT_MIN = 0.5
const NAMED_SCORE_MIN = 2.5
const MAY_HAVE_OTHERS: readonly string[] = ['cost', 'quantity']
/** Of the rows, how many have a key of their own in a column that is called like one: lists repeat articles, and end with sums. */
const NAMED_KEY_SHARE = 0.6

/** What each column may be, the best first. */
function candidates(
  columns: readonly Column[],
  prices: readonly PriceColumn[],
  rows: number,
): { column: Column; guess: NameGuess; fit: number }[] {
  return columns
    .flatMap((column) => {
      const guesses = guessByName(column.name)
      // pictures are known by their addresses alone
      if (!guesses.some(({ field }) => field === 'images') && share(column.values, isPicture) >= FIT_MIN)
        guesses.push({ field: 'images', languages: [], score: 0 })
      const price = prices.find((one) => one.column === column.name)
      if (price?.kind === 'purchase' && !guesses.some(({ field }) => field === 'cost'))
        guesses.push({ field: 'cost', languages: [], score: 1 })
      return guesses
        .map((guess) => (guess.field === 'cost' ? { ...guess, score: costScore(guess.score, price) } : guess))
        .map((guess) => ({ column, guess, fit: VALUES[guess.field]?.fits(column, rows) ?? 0 }))
    })
    .filter(({ fit, guess }) => fit >= fitMin(guess))
    .toSorted((a, b) => Number(isSure(b)) - Number(isSure(a)) || b.guess.score - a.guess.score || b.fit - a.fit)
}

function fitMin({ field, score }: NameGuess): number {
  if (field === 'sku') return score > 0 ? NAMED_KEY_SHARE : 1
  return MAY_HAVE_OTHERS.includes(field) && score >= NAMED_SCORE_MIN ? NAMED_FIT_MIN : FIT_MIN
}

const isSure = ({ guess, fit }: { guess: NameGuess; fit: number }) => guess.field === 'sku' || fit >= FIT_MIN

/** What the merchant pays goes before every other price, and what customers pay behind it. */
function costScore(score: number, price: PriceColumn | undefined): number {
  return price === undefined ? score : price.kind === 'purchase' ? score + 3 : score / 10
}

const isPicture = (value: string) => /^https?:\/\/\S+\.(?:jpe?g|png|webp|gif|avif)(?:[?#]\S*)?$/i.test(value)

function sourceOf(column: Column, field: string): unknown {
  if (field !== 'images') return column.isList && field !== 'ean' ? { column: column.name, take: 0 } : column.name
  const sign = [', ', ',', '|', ';'].find(
    (one) => share(column.values, (value) => value.includes(`${one}http`) || value.includes(`${one}/`)) > 0.1,
  )
  return sign === undefined ? column.name : { column: column.name, split: sign.trim() }
}

function proposedDecimal(columns: readonly Column[], cost: unknown, note: Note): '.' | ',' | undefined {
  const numbers = new NumberEvidence()
  const priced = columns.find(({ name }) => name === cost)?.values ?? []
  for (const value of priced) numbers.note(value)
  const sign = numbers.sign()
  if (sign === undefined) return undefined
  const example = priced.find((value) => attributeNumber(value, sign) !== value || value.includes(sign)) ?? ''
  note('decimal', `numbers such as ${JSON.stringify(example)} have ${JSON.stringify(sign)} for decimals`)
  return sign
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
