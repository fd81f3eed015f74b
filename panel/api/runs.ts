import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { ImportRun, ImportRunDetails } from '../../contract/import-schemas.ts'
import { call } from './client.ts'
import { useReadPages, type Pages } from './read-pages.ts'
import { reading } from './read.ts'

// Import runs at /v1/account/imports.

export type Run = Static<typeof ImportRun>
type Named = Static<typeof ImportRunDetails>
/** The schema refers to these members by name, which its TypeScript type does not follow. */
export type RunDetails = Omit<Named, 'mapping' | 'problem'> & {
  mapping: Readonly<Record<string, unknown>> | null
  problem: (Omit<NonNullable<Named['problem']>, 'errors'> & { errors: { name: string; reason: string }[] }) | null
}
export type RunState = Run['state']

export const RUN = 'GET /v1/account/imports/{id}'
export const RUNS = 'GET /v1/account/imports'

const LIVE_MS = 1_000
const QUIET_MS = 15_000

// the type makes this table complete: a missing or unknown state does not compile
const STATES: Readonly<Record<RunState, true>> = {
  waiting: true,
  fetching: true,
  reading: true,
  writing: true,
  resolving: true,
  succeeded: true,
  unchanged: true,
  held: true,
  refused: true,
  failed: true,
  canceled: true,
}

/** States in the order in which a run passes through them; the last six are final. */
export const RUN_STATES = Object.keys(STATES) as readonly RunState[]

export const isOpen = ({ ended_at: endedAt }: Pick<Run, 'ended_at'>) => endedAt === null

/** The kind of fault with which fetching the file failed; null if the run did not fail there. */
export function fetchFaultOf({ problem }: Pick<Run, 'problem'>): string | null {
  const errors = (problem?.errors ?? []) as readonly { name: string; reason: string }[]
  return errors.find(({ name }) => name === 'source')?.reason ?? null
}

/** Imports the file of a run again. @returns the new run's ID */
export async function repeatRun(
  accountId: number,
  runId: number,
  body: { mapping?: Readonly<Record<string, unknown>>; mode?: Run['mode']; dry_run?: boolean; confirm?: boolean },
): Promise<number> {
  const { data } = await call('POST /v1/account/imports/{id}/repeat', { accountId, params: { id: runId }, body })
  return (data as { id: number }).id
}

/** One run, read again every second until it has ended. */
export function useRun(accountId: number, id: number): UseQueryResult<{ data: RunDetails }> {
  return useQuery({
    ...reading(RUN, { accountId, params: { id } }),
    select: ({ data }) => ({ data: data as RunDetails }),
    refetchInterval: ({ state }) => {
      const data = state.data?.data
      return data !== undefined && isOpen(data) ? LIVE_MS : QUIET_MS
    },
  })
}

/** Runs of a supplier, newest first. Read again every second while one is open, unless `isStill`. */
export function useRuns(
  accountId: number,
  filter: { supplier: string; source?: string | undefined; state?: RunState | undefined },
  { isEnabled = true, isStill = false }: { isEnabled?: boolean; isStill?: boolean } = {},
): Pages<Run> {
  return useReadPages(
    RUNS,
    { accountId, query: filter },
    { every: (pages) => !isStill && (pages.some(({ data }) => data.some(isOpen)) ? LIVE_MS : QUIET_MS), isEnabled },
  )
}

/** The newest runs of a supplier, including open ones. */
export function useNewestRuns(accountId: number, supplier: string): readonly Run[] | undefined {
  return useRuns(accountId, { supplier }).rows
}
