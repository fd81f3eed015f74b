import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { mapYielding, openYielding } from '../../platform/yielding.ts'
import { decodeStrict, parseStrictJson, parseStrictText, stringEnd } from './strict-json.ts'

/** Characters between two checks of the clock. */
const STRIDE = 16_384

/**
 * Like parseStrictJson, for large bodies with one list in an object: the entries are parsed one by one, and other
 * requests are served in between. JSON.parse of 64 MB blocks the whole process for a second.
 * @param wholeBytesMax up to this size a body is parsed in one piece
 * @throws ShelfwireError bad-request, naming where, with the entry's number for a fault inside an entry;
 *   payload-too-large for more entries than a bulk or a single body may have, and for a large body without a list.
 */
export async function parseStrictRows(
  bytes: Uint8Array,
  wholeBytesMax: number = LIMITS.requestBodyBytesMax,
): Promise<unknown> {
  if (bytes.length <= wholeBytesMax) return parseStrictJson(bytes)
  const { shell, entries } = await cutEntries(decodeStrict(bytes))
  if (shell.length > LIMITS.requestBodyBytesMax)
    throw tooLarge(`what is around the rows has more than ${LIMITS.requestBodyBytesMax} characters`)
  const value = parseStrictText(shell)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  let index = 0
  const rows = await mapYielding(entries, (entry) => parseEntry(entry, index++))
  for (const [name, member] of Object.entries(value)) {
    if (Array.isArray(member))
      Object.defineProperty(value, name, { value: await mapYielding(member as number[], (at) => rows[at]) })
  }
  return value
}

/**
 * Cuts the entries of the lists directly in the outermost object out of a text, and leaves each entry's number in its
 * place. The rest is therefore valid JSON exactly when the text around the entries is.
 */
async function cutEntries(text: string): Promise<{ shell: string; entries: string[] }> {
  const entries: string[] = []
  const shell: string[] = []
  const turn = openYielding()
  const isObject = text.trimStart().startsWith('{')
  let depth = 0
  /** Start of the text that is not in the shell yet. */
  let kept = 0
  /** Start of the current entry; -1 outside of a list. */
  let start = -1
  let look = STRIDE
  const cut = (end: number) => {
    const entry = text.slice(start, end)
    if (entry.trim() === '') return
    // refused before it is parsed, which would take a second or gigabytes of memory
    if (entries.length >= LIMITS.bulkRowsMax)
      throw tooLarge(`a bulk has at most ${LIMITS.bulkRowsMax} rows; send it in parts`)
    if (entry.length > LIMITS.requestBodyBytesMax)
      throw tooLarge(`row ${entries.length} has more than ${LIMITS.requestBodyBytesMax} characters`)
    shell.push(text.slice(kept, start), String(entries.length))
    entries.push(entry)
    kept = end
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = stringEnd(text, i)
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (code === 0x5b && depth === 2 && isObject) start = i + 1
    } else if (code === 0x7d || code === 0x5d) {
      if (depth-- === 2 && start !== -1) {
        cut(i)
        start = -1
      }
    } else if (code === 0x2c && depth === 2 && start !== -1) {
      cut(i)
      start = i + 1
    }
    if (i < look) continue
    look = i + STRIDE
    const others = turn()
    if (others !== null) await others
  }
  return { shell: [...shell, text.slice(kept)].join(''), entries }
}

const tooLarge = (detail: string) => new ShelfwireError('payload-too-large', detail)

function parseEntry(text: string, index: number): unknown {
  try {
    return parseStrictText(text, 2)
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    const faults = error.faults.map(({ name, reason }) => ({ name: `rows.${index}.${name}`, reason }))
    throw new ShelfwireError(error.code, `row ${index}: ${error.message}`, { faults, cause: error })
  }
}
