import { must } from '../../platform/must.ts'

// Rewrites a statement for the node of its account, with the names of the account's shards in place of the tables. PostgreSQL then runs it like
// any other, from a plan that it keeps; Citus would plan a join anew each time. docs/decisions/263-reads-are-asked-at-the-node.md says why.

/** Tables that clients' reads use. A statement that also reads other tables is not sent to a node. */
export const NEAR_TABLES: readonly string[] = [
  'change',
  'change_counter',
  'change_fence',
  'payload_block',
  'payload_content',
  'payload_price',
]

/** A statement that can be sent to a node. */
export interface NearText {
  text: string
  /** The tables that it reads, and the positions of their names in the text. */
  tables: readonly { name: string; from: number; to: number }[]
  /** Indexes of the parameters that are the account; all must have the same value. */
  accounts: readonly number[]
}

const READS = /^\s*(?:select|with)\b/i
const WRITES_OR_LOCKS = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|for\s+(?:key\s+)?share)\b/i
const ACCOUNT = /\baccount_id\s*=\s*\$(\d+)(?!\d)/g
/** The source after FROM or JOIN: a table, a function, or a parenthesis. */
const SOURCE = /\bextract\(\s*\w+\s+from\b|\b(?:from|join)\s+(?:lateral\s*)?(?:\(|("?)(\w+)\1(\s*\()?)/gi
const PART = /\b(\w+)\s+as\s+(?:materialized\s+)?\(/gi

/** The form of a statement for nodes; null if it must not be sent to one. In doubt, a statement goes through the coordinator. */
export function nearTextOf(text: string): NearText | null {
  if (!READS.test(text) || WRITES_OR_LOCKS.test(text)) return null
  const accounts = [...text.matchAll(ACCOUNT)].map(([, position]) => Number(position) - 1)
  const parts = new Set([...text.matchAll(PART)].map(([, name]) => name))
  const tables: { name: string; from: number; to: number }[] = []
  for (const { 0: source, 1: quote, 2: name, 3: call, index } of text.matchAll(SOURCE)) {
    if (name === undefined || parts.has(name)) continue
    if (call !== undefined) {
      if (name !== 'unnest') return null
      continue
    }
    if (!NEAR_TABLES.includes(name)) return null
    const to = index + source.length
    tables.push({ name, from: to - name.length - 2 * must(quote).length, to })
  }
  if (accounts.length === 0 || tables.length === 0) return null
  // a table named in any other way would be read through Citus
  const named = NEAR_TABLES.reduce((sum, name) => sum + [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length, 0)
  return named === tables.length ? { text, tables, accounts } : null
}

/**
 * The text for one shard. It finds nothing if the shard is no longer placed on the node, which the statement's own snapshot shows: a shard
 * leaves a node in the transaction that moves it, before anything can be written elsewhere.
 * @param shardOf the account's shard of a table
 * @param groupId the node's group
 */
export function shardTextOf(near: NearText, shardOf: (table: string) => number, groupId: number): string {
  let text = ''
  let at = 0
  for (const { name, from, to } of near.tables) {
    text += `${near.text.slice(at, from)}${name}_${shardOf(name)}`
    at = to
  }
  text += near.text.slice(at)
  return `select near.* from (${text}) near where exists (
    select from pg_catalog.pg_dist_placement where shardid = ${shardOf(must(near.tables[0]).name)} and groupid = ${groupId})`
}

/** The account of a statement; undefined if its parameters name several. */
export function accountOfAll({ accounts }: NearText, values: readonly unknown[] | undefined): number | undefined {
  const accountId = values?.[must(accounts[0])]
  return typeof accountId === 'number' && accounts.every((position) => values?.[position] === accountId)
    ? accountId
    : undefined
}
