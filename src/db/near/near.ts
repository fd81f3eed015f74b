import type { Log } from '../../platform/log.ts'

/** What is asked at the nodes of a Citus cluster, and not through its coordinator. */
export interface Near {
  /** From here on nodes are used. Called where the database is known to be a cluster's; nothing is asked of other servers. */
  begin(log: Log): void
  /** How many connections to nodes are open. */
  connections(): number
  /** Statements that can be asked at a node, by who answered them. */
  readonly answered: { readonly node: number; readonly coordinator: number }
}
