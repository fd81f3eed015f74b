import { say } from '../../../contract/remarks/remarks.ts'
import type { CostTierSource } from '../mapping/mapping.ts'
import { LIMITS } from '../../platform/limits.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'
import { figure, isAmount } from './value-kinds.ts'

// Finds costs by quantity in the columns of a table: the quantity is in the name of each price's column, or in a column beside it.

interface Asked {
  note: (path: string, reason: string) => void
  ask: (question: string, field?: string) => void
}

const PRICE =
  '(?:staffel(?:preis)?|(?:unit|net|tier|bulk|volume)?[ _-]?price|preis|ek|vk|hek|cena|ceny|prix|precio|prezzo|prijs|preço|pris|hinta|ár|fiyat|цена)'
const FROM = '(?:ab|from|od|dès|à partir de|desde|da|vanaf|fra|från|alkaen|от|de|for|@|x|>=?|≥)'
const PIECES =
  '(?:stk|stck|stück|st|pcs?|pieces?|units?|szt|ks|uds?|unidades|pz|pezzi|pièces|stuks|db|kpl|adet|шт|qty|up)?'
const COUNTED = PIECES.replace(/\)\?$/, ')')
/** Names with a price and the quantity from which it applies: `Preis ab 10`, `price_10`, `VK 100 St.`, `ab 50 Stk`, `10+`, `10 pcs`. */
const NAMED = new RegExp(
  `^(?:${PRICE}[ _.:-]*(?:${FROM})?[ _.:-]*(\\d{1,6})\\+?[ _.]*${PIECES}\\.?|${FROM} ?(\\d{1,6})\\+? ?${PIECES}\\.?(?: ?${PRICE})?|(\\d{1,6}) ?\\+ ?${PIECES}\\.?|${PRICE}[ _]?(?:qty|menge)[ _]?(\\d{1,6})|(\\d{1,6}) ?${COUNTED}\\.?)$`,
  'iu',
)
/** Names such as `Qty 2`, beside `Price 2` with the same number. */
const QUANTITY =
  /^((?:min(?:dest)?[ _.-]?)?(?:qty|quantity|menge|staffelmenge|staffel[ _]?menge|break|price[ _]?break|ilość|ilosc|quantité|qté|cantidad|quantità|aantal|množství|antal|количество|from|ab|od)[ _.-]*(?:ab|from|break)?[ _.-]*)(\d{1,2})$/iu
const NUMBERED_PRICE =
  /^((?:staffel|tier|break|unit|net)?[ _-]?(?:price|preis|ek|vk|cena|prix|precio|prezzo|prijs|pris|цена)[ _.-]*(?:break|ab)?[ _.-]*)(\d{1,2})$/iu

const isWhole = (value: string) => /^\d{1,7}(?:[.,]0+)?$/.test(value)

interface Tier {
  /** A number from the name of the price's column, or the name of a column. */
  quantity: number | string
  cost: string
}

/** Proposes costs by quantity, in addition to the cost of one piece, if the prices fall from column to column. */
export async function proposeTiers(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): Promise<void> {
  const { cost } = fields
  if (typeof cost !== 'string') return
  const priced = await pricedAmong(columns)
  const tiers = pairsAmong(columns, priced) ?? namedAmong(priced, cost)
  const further = tiers.filter(({ cost: column, quantity }) => column !== cost && quantity !== 1)
  if (further.length === 0 || further.some(({ cost: column }) => used.has(column))) return
  if (!fall(rows, [cost, ...further.map((tier) => tier.cost)])) return
  const kept = further.slice(0, LIMITS.tiersPerRuleMax)
  fields['cost_tiers'] = kept satisfies CostTierSource[]
  for (const { quantity, cost: column } of kept) {
    used.add(column)
    if (typeof quantity === 'string') used.add(quantity)
  }
  const shown = kept.map(({ cost: column }) => JSON.stringify(column)).join(', ')
  note('fields.cost_tiers', `${shown}: what a piece costs from a quantity on, beside ${JSON.stringify(cost)} for one`)
  ask(say('cost_tiers', { columns: kept.map(({ cost: column }) => column) }), 'cost_tiers')
}

/**
 * Proposes the cost of one piece if none was found: prices are named by quantities alone (`1 pcs`, `10 pcs`), and fall from column to
 * column.
 */
export async function proposeFirstOfTiers(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: Asked,
): Promise<void> {
  if (fields['cost'] !== undefined) return
  const [first, ...further] = namedAmong(await pricedAmong(columns), '')
  if (first?.quantity !== 1 || further.length === 0) return
  if (!fall(rows, [first.cost, ...further.map(({ cost }) => cost)])) return
  fields['cost'] = first.cost
  used.add(first.cost)
  note('fields.cost', `${JSON.stringify(first.cost)}: it is called by a quantity, and prices fall from one to the next`)
  ask(say('cost_of_first_tier', { column: first.cost }), 'cost')
}

/** Longer names are texts. */
const NAME_LENGTH_MAX = 60

/** The columns of amounts whose name is that of a price with a number. Names are tested first, because that is cheaper. */
async function pricedAmong(columns: readonly Column[]): Promise<Column[]> {
  const isPriced = await mapYielding(
    columns,
    ({ name, values, isList }) =>
      !isList &&
      name.length <= NAME_LENGTH_MAX &&
      (NAMED.test(name.trim()) || NUMBERED_PRICE.test(name.trim())) &&
      values.length > 0 &&
      share(values, isAmount) >= 0.8,
  )
  return columns.filter((_, place) => isPriced[place])
}

/** The columns with the quantities from which the prices beside them apply: they are no stock. */
export async function tierQuantities(columns: readonly Column[]): Promise<string[]> {
  const pairs = pairsAmong(columns, await pricedAmong(columns)) ?? []
  return pairs.length < 2 ? [] : pairs.map(({ quantity }) => String(quantity))
}

/** Prices with the quantity in their names, without those of another kind than the cost. */
function namedAmong(priced: readonly Column[], cost: string): Tier[] {
  const found = priced.flatMap(({ name }) => {
    const match = NAMED.exec(name.trim())
    const quantity = Number(match?.slice(1).find((part) => part !== undefined) ?? 0)
    return quantity >= 1 && quantity <= LIMITS.tierQuantityMax ? [{ quantity, cost: name, stem: stemOf(name) }] : []
  })
  const own = found.find((tier) => tier.cost === cost)
  const alike = found.filter(({ stem }) => own === undefined || stem === own.stem)
  const quantities = new Set(alike.map(({ quantity }) => quantity))
  // 1, 2 and 3 number price lists, and are no quantities
  const isCounting = [...quantities].every((quantity) => quantity <= 9) && quantities.has(2) && quantities.has(3)
  const isOne = new Set(alike.map(({ stem }) => stem)).size === 1
  if (!isOne || quantities.size !== alike.length || isCounting) return []
  return alike
    .map(({ quantity, cost: column }) => ({ quantity, cost: column }))
    .toSorted((a, b) => a.quantity - b.quantity)
}

const stemOf = (name: string) => name.toLowerCase().replace(/\d+/g, '').trim()

/** Pairs of columns with quantities and prices that have the same number in their names. */
function pairsAmong(columns: readonly Column[], priced: readonly Column[]): Tier[] | undefined {
  const quantities = new Map<string, string>()
  for (const { name, values, isList } of columns) {
    if (name.length > NAME_LENGTH_MAX) continue
    const number = QUANTITY.exec(name.trim())?.[2]
    if (number !== undefined && !isList && values.length > 0 && values.every(isWhole)) quantities.set(number, name)
  }
  const pairs = priced.flatMap(({ name }) => {
    const quantity = quantities.get(NUMBERED_PRICE.exec(name.trim())?.[2] ?? '')
    return quantity === undefined || quantity === name ? [] : [{ quantity, cost: name }]
  })
  return pairs.length === 0 ? undefined : pairs
}

/** Whether prices never rise from column to column in any row, and fall at least once. */
function fall(rows: SampleRows, prices: readonly string[]): boolean {
  let falls = 0
  for (const row of rows) {
    let before: number | undefined
    for (const price of prices) {
      const text = textAt(row, price)
      if (!isAmount(text)) continue
      const amount = figure(text)
      if (before !== undefined && amount > before) return false
      if (before !== undefined && amount < before) falls++
      before = amount
    }
  }
  return falls > 0
}
