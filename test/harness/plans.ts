import type { Db } from '../../src/db/sql.ts'

type Scalar = string | number | boolean | null | undefined

/** A statement as the client has sent it. */
export interface Statement {
  text: string
  parameters: readonly (Scalar | Date | Uint8Array | Scalar[])[]
}

/** Records the statements that `work` sends over a pool, or several, in order, without begin, commit and the like. */
export async function recordStatements(of: Db | readonly Db[], work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const pools = [of].flat()
  for (const db of pools)
    db.onStatement = (text, parameters) => {
      if (/^\s*(select|insert|update|delete|with)\b/i.test(text))
        statements.push({ text, parameters: parameters as Statement['parameters'] })
    }
  try {
    await work()
  } finally {
    for (const db of pools) db.onStatement = null
  }
  return statements
}

/** How the server plans a prepared statement: `custom` for the given parameters, `generic` once for all parameters. */
export type PlanMode = 'custom' | 'generic'

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Sort Key'?: string[]
  'Conflict Arbiter Indexes'?: string[]
  Plans?: PlanNode[]
}

/** Runs `explain` with `options` on a recorded statement, prepared as the client does. */
export async function explain(
  session: Db,
  { text, parameters }: Statement,
  mode: PlanMode,
  options: string,
): Promise<Record<string, unknown>[]> {
  await session.unsafe(`set plan_cache_mode = force_${mode}_plan`)
  await session.unsafe(`prepare probe as ${text}`)
  try {
    const [row] = await session<
      { types: string[] }[]
    >`select parameter_types::text[] as types from pg_prepared_statements where name = 'probe'`
    const values = parameters.map((value, i) => `${literal(value)}::${row?.types[i] ?? 'text'}`)
    return await session.unsafe(
      `explain (${options}) execute probe${values.length === 0 ? '' : ` (${values.join(', ')})`}`,
    )
  } finally {
    await session.unsafe('deallocate probe')
    await session.unsafe('reset plan_cache_mode')
  }
}

export async function planOf(session: Db, statement: Statement, mode: PlanMode): Promise<PlanNode> {
  const [row] = await explain(session, statement, mode, 'format json')
  const [plan] = (row?.['QUERY PLAN'] ?? []) as { Plan: PlanNode }[]
  if (plan === undefined) throw new Error(`no plan of ${statement.text}`)
  return plan.Plan
}

/** A node and all its descendants. */
export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

function literal(value: Statement['parameters'][number]): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return quoted(`{${value.map(element).join(',')}}`)
  if (value instanceof Date) return quoted(value.toISOString())
  if (value instanceof Uint8Array) return quoted(`\\x${Buffer.from(value).toString('hex')}`)
  return quoted(String(value))
}

function element(value: Scalar): string {
  return value === null || value === undefined ? 'null' : `"${String(value).replace(/["\\]/g, (sign) => `\\${sign}`)}"`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Sorts of table rows below a limit, which read all rows to find the first few. */
export function sortsOf(plan: PlanNode): string[] {
  const limited = nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Limit')
    .flatMap(nodesOf)
  const sorts = limited.filter(
    (node) => node['Node Type'].includes('Sort') && nodesOf(node).some((below) => below['Relation Name'] !== undefined),
  )
  return sorts.map((node) => `${node['Node Type']} by ${node['Sort Key']?.join(', ')}`)
}

/** The access path to rows whose tuple ids (ctid) were just found by an index. */
export const BY_PLACE = (table: string) => [`Tid Scan of ${table}`, `${table} drops by (account_id = ?)`]
