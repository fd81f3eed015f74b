import type { Ask } from './panel-session.ts'
import type { Report } from './report.ts'

// Search of products in the panel: the time of each answer after every keystroke, and after every filter.

const ROUNDS = 3
const GOAL_MS = 100

/** Texts that are typed; an answer is measured after every keystroke. */
export const TYPED = [
  'akkuschrauber robust',
  'kettensage 45',
  'garten schwarz 1',
  'n-000123456',
  '400000123456',
  'manufacturer 17',
  'leiter manufacturer 3',
  's 4 r',
  'xylophon',
  'werkzeugkoffer 899',
  // parts of words, spelled-out umlauts, misspellings, and the end of an EAN
  'schrauber 12',
  'koffer robust',
  'kettensaege',
  'akuschraubr',
  '123459',
]

/** Queries with filters chosen one by one; some with a text or an order. */
const FILTERS = [
  '',
  'sort=sku',
  'sort=-title',
  'sort=-changed',
  'manufacturer=Manufacturer+17',
  'category=goods/category+3',
  'category=goods&sort=sku',
  'store=copy-7',
  'store=copy-7&sort=-sku&search=le',
  'stock=out',
  'stock=out&sort=title&search=a',
  'excluded=yes',
  'excluded=yes&store=main&sort=sku',
  'excluded=yes&search=s',
  'excluded=no&search=s',
  'reason=none&search=s',
  'search=spaten&stock=in&excluded=no&store=main',
  'incomplete=no_image',
  'incomplete=no_category&sort=sku',
  'incomplete=no_price&store=main&search=s',
  'incomplete=no_title&search=s&sort=-title',
  'changed_since=2020-01-01T00:00:00%2B00:00&sort=-changed',
  'changed_since=2090-01-01T00:00:00%2B00:00',
]

const COUNTED = ['search=s', 'stock=in', 'store=main&excluded=no', 'excluded=no']

/** The queries after each keystroke: `search=` with each prefix of a text. */
export const keys = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    Array.from({ length: text.length }, (_, i) => `search=${encodeURIComponent(text.slice(0, i + 1))}`),
  )

export async function measureTyping(ask: Ask, what: string, report: Report): Promise<void> {
  await measureLists(ask, `a list after every key of what is typed, ${what}`, keys(TYPED), report)
}

export async function measureFilters(ask: Ask, what: string, report: Report): Promise<void> {
  await measureLists(ask, `a list by filters, ${what}`, FILTERS, report)
  for (const query of COUNTED) {
    const { ms, body } = await ask(`products/count?${query}`)
    const { count } = (body as { data: { count: number | null } }).data
    report.figure(`exact count of ${query}, beside the list`, `${count} in ${ms.toFixed(0)} ms`)
  }
}

async function measureLists(ask: Ask, what: string, queries: readonly string[], report: Report): Promise<void> {
  const times: number[] = []
  let [rows, thumbnails] = [0, 0]
  const slowest = new Map<string, number>()
  // the first round is not counted: it reads data from the disk that is in memory while a list is used
  for (let round = 0; round <= ROUNDS; round++)
    for (const query of queries) {
      const { ms, body } = await ask(`products?${query}`)
      if (round === 0) continue
      const { data } = body as { data: { picture: string | null }[] }
      rows += data.length
      thumbnails += data.filter(({ picture }) => picture !== null).length
      times.push(ms)
      slowest.set(query, Math.max(slowest.get(query) ?? 0, ms))
    }
  report.times(what, times, GOAL_MS)
  report.figure('of their rows with a thumbnail', `${((100 * thumbnails) / Math.max(1, rows)).toFixed(1)} %`)
  const worst = [...slowest].sort(([, a], [, b]) => b - a).slice(0, 8)
  report.figure('of these the slowest', worst.map(([query, ms]) => `\`${query}\` ${ms.toFixed(0)} ms`).join(', '))
}
