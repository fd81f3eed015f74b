import { shardHash } from '../distribution/shard-hash.ts'
import { NEAR_TABLES } from './shard-texts.ts'

// The placements of the shards of tables that clients read, as the coordinator knows them.

/** A node of the cluster that has shards. */
export interface PlacedNode {
  nodeId: number
  groupId: number
  host: string
  port: number
}

/** The node of a range of accounts, and their shard of each table. */
export interface Place {
  node: PlacedNode
  shards: ReadonlyMap<string, number>
}

/** Sends a statement to the coordinator. */
export type Ask = (text: string, values: readonly number[]) => Promise<readonly object[]>

interface Row extends PlacedNode {
  table: string
  shardId: number
  first: number
  last: number
  hash: number
}

const PLACEMENTS_TEXT = `
  select s.logicalrelid::regclass::text as "table", s.shardid as "shardId", s.shardminvalue::int as first, s.shardmaxvalue::int as last,
    n.nodeid as "nodeId", n.groupid as "groupId", n.nodename as host, n.nodeport as port, worker_hash($1::bigint) as hash
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive and n.hasmetadata and n.metadatasynced
  where s.shardminvalue is not null and s.logicalrelid in (${NEAR_TABLES.map((table) => `to_regclass('${table}')`).join()})
  order by s.shardminvalue::int`
/** A value for comparing our hash with the server's. */
const HASHED = 1_234_567_890_123

export class Placements {
  /** In ascending order of their first hash. */
  readonly #ranges: readonly (Place & { first: number; last: number })[]

  constructor(ranges: readonly (Place & { first: number; last: number })[]) {
    this.#ranges = ranges
  }

  /** The node of an account; undefined if it is unknown. */
  of(accountId: number): Place | undefined {
    const hash = shardHash(accountId)
    let [low, high] = [0, this.#ranges.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const range = this.#ranges[middle]
      if (range === undefined) return undefined
      if (hash < range.first) high = middle - 1
      else if (hash > range.last) low = middle + 1
      else return range
    }
    return undefined
  }

  /** All nodes that have shards. */
  nodes(): PlacedNode[] {
    return [...new Map(this.#ranges.map(({ node }) => [nameOf(node), node])).values()]
  }
}

export const nameOf = ({ host, port }: PlacedNode): string => `${host}:${port}`

/** Reads the placements from the coordinator. Leaves out ranges whose tables are not all on one node with one shard each. */
export async function readPlacements(ask: Ask): Promise<Placements> {
  const rows = (await ask(PLACEMENTS_TEXT, [HASHED])) as readonly Row[]
  // a server with another hash: no placement can be used
  if (rows.some(({ hash }) => hash !== shardHash(HASHED))) return new Placements([])
  const ranges = Map.groupBy(rows, ({ first }) => first)
  return new Placements(
    [...ranges.values()].flatMap((range) => {
      const [one] = range
      const shards = new Map(range.map(({ table, shardId }) => [table, shardId]))
      const isOne = range.every(({ last, groupId }) => last === one?.last && groupId === one.groupId)
      const hasAll = shards.size === range.length && NEAR_TABLES.every((table) => shards.has(table))
      if (one === undefined || !isOne || !hasAll) return []
      const { first, last, nodeId, groupId, host, port } = one
      return [{ first, last, node: { nodeId, groupId, host, port }, shards }]
    }),
  )
}

/**
 * SQL that identifies a server and database: the microsecond at which a server was started distinguishes it from all others, including one made
 * from its backup. An address is not enough: "localhost" is another machine for us than for the coordinator, and a pooler may lead to a database of
 * another name.
 */
const IDENTITY = `extract(epoch from pg_postmaster_start_time())::text || ' ' || current_database()`
const IDENTITIES_TEXT = `
  select nodeid as "nodeId", result as identity from run_command_on_all_nodes($$select ${IDENTITY}$$) where success`
/** The same, for sending to a node. */
export const IDENTITY_HERE_TEXT = `select ${IDENTITY} as identity, pg_is_in_recovery() as "isStandby"`

/** Identities by node id, of the nodes that the coordinator reaches. */
export async function readIdentities(ask: Ask): Promise<ReadonlyMap<number, string>> {
  const rows = (await ask(IDENTITIES_TEXT, [])) as readonly { nodeId: number; identity: string }[]
  return new Map(rows.map(({ nodeId, identity }) => [nodeId, identity]))
}
