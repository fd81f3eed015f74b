import { ShelfwireError } from '../platform/errors.ts'
import type { Excess } from './safety/judge.ts'

/** An import that is held back as a whole: nothing was written. Confirming it imports the file unchanged. */
export class ImportExceeded extends ShelfwireError {
  readonly excesses: readonly Excess[]

  constructor(excesses: readonly Excess[]) {
    super(
      'import-refused',
      `${excesses.map(({ text }) => text).join('. Also: ')}; nothing was written. Confirm it if that is intended`,
      { faults: excesses.map(({ kind, text }) => ({ name: kind, reason: text })) },
    )
    this.excesses = excesses
  }
}
