import { useRef, useState } from 'react'
import { useRefresh } from '../../api/read.ts'
import { batchesOf, cellsOf, sendBatch, type Batch } from './save.ts'
import { partsOf, type CellFault, type Change, type SheetState } from './sheet-state.ts'
import { readRows } from './use-sheet.ts'

export interface Saving {
  isRunning: boolean
  /** Cells that were sent and answered, of those that were unsaved at the beginning. */
  done: number
  total: number
  /** Results of the last save. */
  stored: number
  faults: number
  error: unknown
  /** The changes that the last save stored, as one step that can be undone. */
  last: readonly Change[]
  /** It undid the save before. */
  isUndo: boolean
}

const IDLE: Saving = { isRunning: false, done: 0, total: 0, stored: 0, faults: 0, error: null, last: [], isUndo: false }

/** `crypto.randomUUID` exists only on pages over HTTPS or from localhost. */
const newSaveId = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Saves the input batch by batch, and reads the saved rows again. Failed input is kept. */
export function useSaving(accountId: number, state: SheetState) {
  const [saving, setSaving] = useState(IDLE)
  const isStopped = useRef(false)
  const isBusy = useRef(false)
  const refresh = useRefresh()
  const send = async (batch: Batch, save: string) => {
    const seen = { stored: 0, faults: 0, changes: [] as Change[] }
    const ids = [...new Set(batch.flatMap(({ drafts }) => [...drafts.keys()].map((key) => partsOf(key).id)))]
    const names = [...new Set(batch.flatMap(({ drafts }) => [...drafts.keys()].map((key) => partsOf(key).column)))]
    const own = names.filter((name) => name !== 'quantity' && name !== 'cost')
    const reread = () => readRows(accountId, ids, own).then((rows) => state.take(rows))
    const pending: ReadonlyMap<string, CellFault>[] = []
    try {
      await sendBatch(accountId, batch, save, ({ stored, faults }) => {
        for (const [key, { value, expected }] of stored)
          seen.changes.push({ ...partsOf(key), before: expected, after: value })
        state.stored(stored)
        seen.stored += stored.size
        pending.push(faults)
      })
    } finally {
      // stored values are read in their normalized form, and conflicts with the current value; a failure to read does not matter, because
      // the rows are stored
      await reread().catch(() => undefined)
      for (const faults of pending) {
        state.refused(faults)
        seen.faults += [...faults.keys()].filter((key) => state.faults.has(key)).length
      }
    }
    return seen
  }
  const save = async (isUndo = false) => {
    if (isBusy.current) return
    const batches = batchesOf(state)
    if (batches.length === 0) return
    isBusy.current = true
    isStopped.current = false
    const saveId = newSaveId()
    let now: Saving = { ...IDLE, isRunning: true, total: cellsOf(batches), isUndo }
    setSaving(now)
    try {
      for (const batch of batches) {
        if (isStopped.current) break
        const { stored, faults, changes } = await send(batch, saveId)
        now = {
          ...now,
          done: now.done + cellsOf([batch]),
          stored: now.stored + stored,
          faults: now.faults + faults,
          last: [...now.last, ...changes],
        }
        setSaving(now)
      }
    } catch (error) {
      now = { ...now, error }
    } finally {
      isBusy.current = false
      setSaving({ ...now, isRunning: false })
      void refresh('GET /panel/api/accounts/{account_id}/products', 'GET /v1/account/operations')
    }
  }
  return {
    saving,
    save: () => save(),
    stop: () => (isStopped.current = true),
    /**
     * Writes the previous values back and saves them; values that somebody else has changed since are kept. Repeating
     * it restores what was saved.
     */
    undoSave: async () => {
      state.write(saving.last.map(({ id, column, before }) => ({ id, column, value: before })))
      await save(!saving.isUndo)
    },
  }
}
