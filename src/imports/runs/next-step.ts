import { unreachable } from '../../platform/errors.ts'
import type { RunRow } from './runs.sql.ts'

type Stepped = Pick<RunRow, 'state' | 'trigger' | 'isDryRun' | 'refused' | 'stale' | 'problem' | 'fileKey' | 'sourceId'>

/** What the owner should do next about a run, as a sentence; null: nothing. */
export function nextStep(run: Stepped): string | null {
  const { state, isDryRun, refused, stale } = run
  const again = run.sourceId === null ? 'send the file again' : 'fetch the source again'
  switch (state) {
    case 'waiting':
    case 'fetching':
    case 'reading':
    case 'writing':
    case 'resolving':
      return 'wait until it has ended'
    case 'held':
      return `look at what it exceeds; if the file is right, confirm the run${run.fileKey === null ? `, or ${again}, confirmed` : ''}; if not, cancel it and ${again} when it is corrected`
    case 'refused':
      return `correct the file or its mapping as the problem says, and ${again}`
    case 'failed':
      return `${again}; what was written before stays, and a row that changes nothing writes nothing`
    case 'canceled':
    case 'unchanged':
      return null
    case 'succeeded': {
      const left = [
        ...(refused === 0 || run.trigger === 'undo' ? [] : [`correct ${refusedRows(refused)}`]),
        ...(stale === 0 ? [] : [`look at ${staleOffers(stale)}`]),
        ...(isDryRun ? ['import the file without the dry run'] : []),
      ]
      return left.length === 0 ? null : left.join('; ')
    }
    default:
      return unreachable(state)
  }
}

const refusedRows = (count: number) =>
  count === 1 ? 'the row that was refused' : `the ${count} rows that were refused`
const staleOffers = (count: number) =>
  count === 1 ? 'the offer that keeps what it had' : `the ${count} offers that keep what they had`
