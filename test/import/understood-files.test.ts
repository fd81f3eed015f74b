import { readdirSync, readFileSync } from 'node:fs'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { OfferRecord } from '../../src/model/offer.ts'
import { detectMapping } from '../../src/supplier-files/proposal/detect.ts'
import { chunked } from '../../src/supplier-files/fixtures.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'

// How many files of other systems are imported correctly by their proposed mapping, without edits. Each file of
// test/fixtures/supplier-files has its correct result beside it, written by hand; README.md there describes them.

const folder = new URL('../fixtures/supplier-files/', import.meta.url)
const RIGHT = '.right.tsv'
/** The prefix of files that are no lists of articles, such as an export of orders: no result is right, and each must raise a question. */
const OTHER = 'other-'
const names = readdirSync(folder).filter((name) => name.endsWith(RIGHT))

/** The results of the detection of commit e496565d, measured once by this test. */
const BEFORE = { whole: 63, files: 84, offers: 0.754, silent: 3 }
/** What must not be lost: raise it with every improvement. */
const REACHED = { whole: 320, offers: 0.99 }

type Row = Readonly<Record<string, string>>

interface Result {
  name: string
  /** The number of offers that are right in every compared column, of all that exist or should. */
  right: number
  of: number
  isWarned: boolean
  /** Its records are split (`each`): that always raises a question, which therefore does not excuse a wrong result. */
  isApart: boolean
  faults: string[]
}

async function bytesOf(name: string): Promise<Uint8Array> {
  if (!name.endsWith('.xlsx')) return readFileSync(new URL(name, folder))
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8')
  return writeXlsx({ sheets: JSON.parse(text) as { name: string; rows: (string | number)[][] }[] })
}

function expectedOf(name: string): Row[] {
  const [head = '', ...lines] = readFileSync(new URL(name + RIGHT, folder), 'utf8')
    .trimEnd()
    .split('\n')
  const columns = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']))
  })
}

/** The members of each key's group, because names of groups do not matter. A group of one counts as none. */
function groupsOf(keys: readonly [sku: string, group: string][]): Map<string, string> {
  const members = new Map<string, string[]>()
  for (const [sku, group] of keys) members.set(group, [...(members.get(group) ?? []), sku])
  return new Map(
    keys.map(([sku, group]) => {
      const together = members.get(group) ?? []
      return [sku, group === '' || together.length < 2 ? '' : together.toSorted().join(' ')]
    }),
  )
}

/** How an offer differs from its correct row, if it does. The title of a variant may end with its options. */
function faultOf(offer: OfferRecord, right: Row, together: string): string | undefined {
  const titles = Object.values(offer.texts ?? {}).map(({ title }) => title ?? '')
  const is: Record<string, string | undefined> = {
    title:
      titles.find((title) => title.startsWith(right['title'] ?? '')) === undefined ? titles.join() : right['title'],
    quantity: offer.quantity === undefined ? 'none' : String(offer.quantity),
    cost: offer.cost ?? '',
    currency: offer.currency ?? '',
    list_price: offer.list_price ?? '',
    ean: (offer.eans ?? []).includes(right['ean'] ?? '') ? right['ean'] : (offer.eans ?? []).join(),
    group: together,
    category: offer.category ?? '',
  }
  const wrong = Object.keys(right).filter((column) => column !== 'sku' && is[column] !== right[column])
  return wrong.length === 0
    ? undefined
    : `${offer.sku}: ${wrong.map((column) => `${column} is "${is[column]}", not "${right[column]}"`).join(', ')}`
}

async function tryFile(name: string): Promise<Result> {
  const bytes = await bytesOf(name)
  const rows = expectedOf(name)
  const rightGroups = groupsOf(rows.map((row) => [row['sku'] ?? '', row['group'] ?? '']))
  const expected = new Map(
    rows.map((row) => [
      row['sku'] ?? '',
      'group' in row ? { ...row, group: rightGroups.get(row['sku'] ?? '') ?? '' } : row,
    ]),
  )
  const warnings: string[] = []
  try {
    const { mapping, reasons } = await detectMapping(chunked(bytes), (warning) => warnings.push(warning))
    const offers: OfferRecord[] = []
    for await (const page of readOfferPages(chunked(bytes), mapping))
      for (const row of page) if ('offer' in row) offers.push(row.offer)
    const faults: string[] = []
    const seen = new Set<string>()
    const groups = groupsOf(offers.map(({ sku, group }) => [sku, group?.key ?? '']))
    let right = 0
    for (const offer of offers) {
      seen.add(offer.sku)
      const row = expected.get(offer.sku)
      const fault = row === undefined ? `${offer.sku}: is no article` : faultOf(offer, row, groups.get(offer.sku) ?? '')
      if (fault === undefined) right++
      else faults.push(fault)
    }
    const missing = [...expected.keys()].filter((sku) => !seen.has(sku))
    faults.push(...missing.map((sku) => `${sku}: is missing`))
    const isWarned = warnings.length > 0 || reasons.some(({ reason }) => reason.includes('would be refused'))
    return { name, right, of: offers.length + missing.length, isWarned, isApart: mapping.each !== undefined, faults }
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    return { name, right: 0, of: expected.size, isWarned: true, isApart: false, faults: [error.message] }
  }
}

describe('files of other systems, by the mapping that is proposed for them', async () => {
  const results = await Promise.all(names.map((name) => tryFile(name.slice(0, -RIGHT.length))))
  const wrong = results.filter(({ faults }) => faults.length > 0)
  const silent = wrong.filter(({ isWarned, isApart }) => !isWarned || isApart)
  const lists = results.filter(({ name }) => !name.startsWith(OTHER))
  const whole = lists.filter(({ faults }) => faults.length === 0).length
  const offers = lists.reduce((sum, { right, of }) => sum + right / of, 0) / lists.length

  it('come in whole as often as before, or more often', () => {
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`
    const lines = [
      `${whole} of ${lists.length} files wholly right; ${percent(offers)} of the offers of a file on average; ${silent.length} wrong without a warning`,
      `with the detection of e496565d: ${BEFORE.whole} of ${BEFORE.files}; ${percent(BEFORE.offers)}; ${BEFORE.silent}`,
      ...wrong.map(({ name, right, of, faults }) => `  ${name}: ${right} of ${of}; ${faults[0]?.slice(0, 200)}`),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    expect(whole).toBeGreaterThanOrEqual(REACHED.whole)
    expect(offers).toBeGreaterThanOrEqual(REACHED.offers)
  })

  it('never come in wrong without a warning', () => {
    expect(silent.map(({ name, faults }) => `${name}: ${faults.join('; ')}`)).toEqual([])
  })
})
