import { openContent } from '../content.ts'
import { formatOfText } from '../format.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { peekText } from '../peek.ts'
import { defaultLimits } from '../rows.ts'
import { readText } from '../text.ts'
import type { Utf8Evidence } from '../utf8-evidence.ts'
import { knownItems } from './propose-preset.ts'
import { listPathOf, recordPathOf } from './record-path.ts'
import { streamOf } from './trial.ts'

// Finds what must be known of a file before its rows can be read: its encoding if it states a wrong one, and the records of a document.

const HEAD_CHARACTERS = 1_048_576

/** The encoding that a file states although its bytes are UTF-8; undefined if there is none. Proposing it would garble the texts. */
export async function wronglyStatedEncoding(head: Buffer): Promise<string | undefined> {
  let evidence: Utf8Evidence | undefined
  try {
    const content = await openContent(streamOf(head), undefined, defaultLimits)
    if (content.isWorkbook && !content.isHtmlTable && !content.isOldWorkbook) return undefined
    const onEvidence = (found: Utf8Evidence) => void (evidence = found)
    const text = readText(content.bytes, undefined, Infinity, undefined, undefined, onEvidence)
    for await (const _piece of text) if (evidence === undefined) return undefined
  } catch {
    // a byte without a meaning in the stated encoding confirms that it is wrong; for other errors, the reading reports the reason
  }
  const misread = evidence?.misread()
  return misread?.broken === 0 ? misread.encoding : undefined
}

/** The settings for the records of a document; empty for tables, lines and lists. */
export async function documentOf(
  head: Buffer,
  encoding: string | undefined,
): Promise<{ settings: Partial<Mapping>; passedOver?: string | undefined; alike?: string | undefined }> {
  const none = { settings: {} }
  const content = await openContent(streamOf(head), undefined, defaultLimits)
  if (content.isWorkbook) return none
  try {
    const text = await peekText(readText(content.bytes, encoding, Infinity), HEAD_CHARACTERS)
    const kind = formatOfText(text.head)
    if (kind === 'xml') {
      const known = knownItems(text.head)
      if (known !== undefined) return { settings: { format: kind, items: known } }
      const found = await recordPathOf(text.head)
      return {
        settings: { format: kind, ...itemsAt(found?.path) },
        passedOver: found?.passedOver,
        alike: found?.alike,
      }
    }
    // an object in a single line may be a row, or a document that contains a list
    const isOneLine = kind === 'ndjson' && !text.head.trim().includes('\n')
    const found = kind === 'json' || isOneLine ? await listPathOf(text.head) : undefined
    return found === undefined
      ? none
      : { settings: { format: 'json', items: found.path }, passedOver: found.passedOver, alike: found.alike }
  } catch {
    // the reading says what is wrong
    return none
  }
}

const itemsAt = (items: string | undefined) => (items === undefined ? {} : { items })
