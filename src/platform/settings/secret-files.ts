import { closeSync, openSync, readSync } from 'node:fs'
import { asError, type Fault } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/** The setting that may have several values, one per line. */
const LIST = 'SECRET_KEY'

/**
 * Reads settings from files. Blanks and line ends around a value are ignored.
 * @param variables the environment.
 * @param names of the variables that name files: NAME_FILE for the setting NAME.
 * @returns the settings, and faults of files by the names of their variables; no message repeats the content of a file.
 */
export function readSecretFiles(
  variables: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): { values: Record<string, string>; faults: Fault[] } {
  const values: Record<string, string> = {}
  const faults: Fault[] = []
  for (const name of names) {
    const file = variables[name] ?? ''
    if (file === '') continue
    const setting = name.replace(/_FILE$/, '')
    const read = (variables[setting] ?? '') === '' ? linesOf(file) : `must not be set together with ${setting}`
    if (typeof read === 'string') faults.push({ name, reason: read })
    else if (read.length > 1 && setting !== LIST)
      faults.push({ name, reason: `names ${file}, which has more than one line` })
    else values[setting] = read.join(',')
  }
  return { values, faults }
}

/** The lines that are not blank, or a text that says what is wrong with the file. */
function linesOf(file: string): string[] | string {
  let bytes: Buffer
  try {
    bytes = readStart(file, LIMITS.secretFileBytesMax + 1)
  } catch (error) {
    return `names a file that cannot be read: ${asError(error).message}`
  }
  if (bytes.length > LIMITS.secretFileBytesMax)
    return `names ${file}, which has more than ${LIMITS.secretFileBytesMax} bytes`
  const lines = bytes
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? `names ${file}, which is empty` : lines
}

/** Reads at most `count` bytes of a file, or of a pipe, whose size is unknown. */
function readStart(file: string, count: number): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(count)
    let length = 0
    for (let read = -1; read !== 0 && length < count; length += read)
      read = readSync(descriptor, bytes, length, count - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
