import { totalmem } from 'node:os'
import process from 'node:process'
import type { Log } from './log.ts'

/** Memory in bytes that this process and those that it starts may use: the machine's, or that of its container. */
export function memoryThere(): number {
  const constrained = process.constrainedMemory()
  // without a limit it is 0, or more than there is
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** Says at the start that there is less memory than may be needed. @param most docs/operations.md has what it is made of. */
export function warnOfMemory(log: Log, most: number, there: number = memoryThere()): void {
  if (there >= most) return
  const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)
  log.warn(
    { there_mb: megabytes(there), most_mb: megabytes(most) },
    'there is less memory than this process and those that it starts may take at the most: give it more, or set FILE_READER_MB and IMAGE_DECODER_MB lower',
  )
}
