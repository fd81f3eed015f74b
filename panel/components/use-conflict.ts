import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import type { FormState } from './form.tsx'

/**
 * Two people edit one thing: what a form began with, and what the other one saved meanwhile. What the other saved does not overwrite
 * what is typed. B is what is read of it, with its revision.
 * @param read reads what is there now
 */
export function useConflict<B>(first: B, read: () => Promise<B>) {
  const [base, setBase] = useState(first)
  const [theirs, setTheirs] = useState<B | null>(null)
  const begin = (next: B) => {
    setBase(next)
    setTheirs(null)
  }
  return {
    /** What the form began with. */
    base,
    /** What the other one saved; null: there is no conflict. */
    theirs,
    /** The form goes on from what was saved. */
    begin,
    /** Writes; where the other one was faster, what is there now is read before it fails. */
    async guard<R>(write: () => Promise<R>): Promise<R> {
      try {
        return await write()
      } catch (error) {
        if (asProblem(error).code === 'precondition-failed') setTheirs(await read())
        throw error
      }
    },
    /**
     * The two choices of `Conflict`.
     * @param valuesOf what the form holds of what was read
     * @param chosen what else is done
     */
    choices<V>(form: Pick<FormState<V>, 'restart' | 'forgive'>, valuesOf: (read: B) => V, chosen?: () => void) {
      const choose = (goOn: (read: B) => void) => () => {
        if (theirs === null) return
        begin(theirs)
        goOn(theirs)
        chosen?.()
      }
      return { takeTheirs: choose((read) => form.restart(valuesOf(read))), keepMine: choose(() => form.forgive()) }
    },
  }
}
