import { say } from '../../../contract/remarks/remarks.ts'
import type { Condition } from '../mapping/mapping.ts'
import { memberLookup, memberText } from '../rows.ts'
import { textAt, type SampleRows } from './sample-columns.ts'

// Finds records of several kinds in one list, such as categories beside articles. docs/decisions/269-what-is-certain-is-read.md says why.

/** Names of columns with the kind of a record. */
const KIND =
  /^(?:_?type|model|kind|class|entity|table|(?:record|row|object|item|line)[ _]?(?:type|kind)|is[ _]?(?:group|folder)|этогруппа|тип(?:записи)?|tipo(?:registro)?|typ|satzart|rodzaj)$/iu
const KINDS_MAX = 10
const KIND_LENGTH_MAX = 60
/** The least share of records with a cost from which a kind is one of articles. */
const PRICED_SHARE = 0.8
/**
 * The least number of records of a kind that is left out, and of records per kind on average: a single one without a cost may be an article on
 * request.
 */
const ROWS_OF_KIND_MIN = 2

/**
 * The kinds of records without any cost, beside kinds of which nearly all records have one. They are left out, with a question. Undefined if there
 * are none.
 */
export function skipOfKinds(
  rows: SampleRows,
  cost: unknown,
): { skip: Condition[]; isOther: (row: SampleRows[number]) => boolean; question: string } | undefined {
  if (typeof cost !== 'string') return undefined
  const costOf = memberLookup(cost)
  const priced = rows.map((row) => (textAt(row, cost) || memberText(costOf(row))) !== '')
  if (!priced.includes(true) || !priced.includes(false)) return undefined
  for (const column of Object.keys(rows[0] ?? {}).filter((name) => KIND.test(name.trim()))) {
    const kinds = kindsOf(rows, column, priced)
    if (kinds.size < 2 || kinds.size * ROWS_OF_KIND_MIN > rows.length) continue
    const others = [...kinds].flatMap(([kind, found]) =>
      found.priced === 0 && found.rows >= ROWS_OF_KIND_MIN ? [kind] : [],
    )
    const areArticles = [...kinds.values()].every(
      (kind) => kind.priced === 0 || kind.priced >= kind.rows * PRICED_SHARE,
    )
    if (others.length === 0 || !areArticles) continue
    const isOther = (row: SampleRows[number]) => others.includes(textAt(row, column))
    return {
      skip: [{ column, in: others }],
      isOther,
      question: say('kinds_left_out', { rows: rows.filter(isOther).length, column, kinds: others, cost }),
    }
  }
  return undefined
}

/** The number of records of each kind, and of those with a cost; empty if a column has something other than kinds. */
function kindsOf(
  rows: SampleRows,
  column: string,
  priced: readonly boolean[],
): ReadonlyMap<string, { rows: number; priced: number }> {
  const kinds = new Map<string, { rows: number; priced: number }>()
  for (const [at, row] of rows.entries()) {
    const kind = textAt(row, column)
    const found = kinds.get(kind) ?? { rows: 0, priced: 0 }
    kinds.set(kind, { rows: found.rows + 1, priced: found.priced + Number(priced[at]) })
    if (kinds.size > KINDS_MAX || kind === '' || kind.length > KIND_LENGTH_MAX) return new Map()
  }
  return kinds
}
