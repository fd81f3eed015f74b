import type { Log } from '../../platform/log.ts'

/** Reads at the nodes of a Citus cluster instead of through its coordinator. */
export interface Near {
  /** Starts using nodes. To be called if the database is known to be a cluster; otherwise no node is used. */
  begin(log: Log): void
  /** The number of open connections to nodes. */
  connections(): number
  /** The number of statements that could be sent to a node, by what answered them. */
  readonly answered: { readonly node: number; readonly coordinator: number }
}
