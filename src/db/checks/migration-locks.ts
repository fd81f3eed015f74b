import { must } from '../../platform/must.ts'

// The locks that statements of a migration take, and how much of a table they process, derived from their texts, so that nothing has to be tried on a
// database in use.

/** What others cannot do with a table while a statement holds its lock: nothing is blocked, or writing, or both reading and writing. */
export type Blocked = 'none' | 'writes' | 'reads and writes'

/** The work of a statement on a table: nothing that grows with it; reading all of it; building an index; rewriting it; changing rows. */
export type Work = 'none' | 'scan' | 'index' | 'rewrite' | 'rows'

export interface TableLock {
  table: string
  blocked: Blocked
  work: Work
}

/** The effects of a statement on tables. `creates`: a new table, which nobody waits for. */
export interface StatementLocks {
  creates: string | null
  locks: TableLock[]
  /** Names of dropped constraints. For a foreign key, the other table is locked as well. */
  dropped: string[]
  /** Added foreign keys with their names. */
  foreignKeys: { name: string; target: string }[]
}

const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?([a-z_]+)`
const VOLATILE = /generated always as .* stored|as identity|serial|gen_random_uuid|clock_timestamp|random\(/
const NOTHING: StatementLocks = { creates: null, locks: [], dropped: [], foreignKeys: [] }
const HARMLESS = [
  /^comment on /,
  /^(?:create|alter|drop) sequence /,
  /^create (?:or replace )?function /,
  /^drop function /,
  /^select (?!.* for update)/,
]

/** The locks of one statement of a migration. @throws Error for an unknown kind of statement: add it here, with a test */
export function locksOf(statement: string): StatementLocks {
  const text = plain(statement)
  if (HARMLESS.some((form) => form.test(text))) return { ...NOTHING }
  const [, created] = new RegExp(`^create (?:unlogged )?table ${NAME}`).exec(text) ?? []
  if (created !== undefined) return { ...NOTHING, creates: created, locks: referencedBy(text) }
  const [, indexed] = /^create (?:unique )?index .*? on (?:only )?([a-z_]+)/.exec(text) ?? []
  if (indexed !== undefined) return { ...NOTHING, locks: [{ table: indexed, blocked: 'writes', work: 'index' }] }
  const [, dropped] = new RegExp(`^drop table ${NAME}`).exec(text) ?? []
  if (dropped !== undefined)
    return { ...NOTHING, locks: [{ table: dropped, blocked: 'reads and writes', work: 'none' }] }
  const [, altered, actions] = new RegExp(`^alter table ${NAME} (.*)$`).exec(text) ?? []
  if (altered !== undefined && actions !== undefined)
    return {
      ...NOTHING,
      foreignKeys: [...actions.matchAll(/add (?:constraint (\w+) )?foreign key \(([^)]*)\) references ([a-z_]+)/g)].map(
        ([, given, columns = '', target = '']) => ({
          name: given ?? `${altered}_${columns.replaceAll(/, ?/g, '_')}_fkey`,
          target,
        }),
      ),
      locks: listed(actions).flatMap((action) => locksOfAction(altered, action)),
      dropped: [...actions.matchAll(/\bdrop constraint (?:if exists )?(\w+)/g)].map(([, name = '']) => name),
    }
  const written = [
    ...text.matchAll(
      /(?:^|\()\s*(?:insert into|update|delete from) ([a-z_]+)|\) (?:insert into|update|delete from) ([a-z_]+)/g,
    ),
  ]
  if (written.length > 0)
    return {
      ...NOTHING,
      locks: written.map(([, first, later]) => ({ table: must(first ?? later), blocked: 'none', work: 'rows' })),
    }
  throw new Error(`it is not known what this locks: ${text.slice(0, 200)}`)
}

function locksOfAction(table: string, action: string): TableLock[] {
  const exclusive = (work: Work): TableLock[] => [{ table, blocked: 'reads and writes', work }]
  if (/^set \(|^reset \(|^alter (?:column )?\w+ set statistics/.test(action))
    return [{ table, blocked: 'none', work: 'none' }]
  if (action.startsWith('validate constraint')) return [{ table, blocked: 'none', work: 'scan' }]
  if (action.startsWith('add column')) {
    if (VOLATILE.test(action)) return exclusive('rewrite')
    const isChecked = /\bcheck ?\(|\breferences\b/.test(action)
    return [...exclusive(isChecked ? 'scan' : 'none'), ...referencedBy(action)]
  }
  const [, constraint] = /^add (?:constraint \w+ )?(check|primary key|unique|foreign key|exclude)/.exec(action) ?? []
  if (constraint !== undefined) {
    const isNew = !/ not valid$| using index /.test(action)
    if (constraint === 'foreign key')
      return [{ table, blocked: 'writes', work: isNew ? 'scan' : 'none' }, ...referencedBy(action)]
    const work = constraint === 'check' ? 'scan' : 'index'
    return exclusive(isNew ? work : 'none')
  }
  if (/^alter (?:column )?\w+ (?:set data )?type /.test(action)) return exclusive('rewrite')
  if (/^alter (?:column )?\w+ set not null/.test(action)) return exclusive('scan')
  if (/^(?:drop |rename |alter (?:column )?\w+ (?:set|drop) )/.test(action)) return exclusive('none')
  throw new Error(`it is not known what this locks: alter table ${table} ${action.slice(0, 200)}`)
}

/** Tables that foreign keys refer to, which nobody can write until the migration has ended. */
const referencedBy = (text: string): TableLock[] =>
  [...text.matchAll(/\breferences ([a-z_]+)/g)].map(([, table = '']) => ({ table, blocked: 'writes', work: 'none' }))

/** The statement without comments and text contents, in one line and in lower case. */
const plain = (statement: string): string =>
  statement
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Splits at commas outside parentheses. */
function listed(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (text[at] !== ',' || depth > 0) continue
    parts.push(text.slice(from, at).trim())
    from = at + 1
  }
  return [...parts, text.slice(from).trim()]
}
