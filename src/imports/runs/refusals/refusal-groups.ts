import type { Fault } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { RefusalGroup } from '../runs.sql.ts'

/** The parts of a reason that differ from row to row: quotations and numbers. */
const VARIABLE = /"(?:[^"\\]|\\.)*"|\d+/g
/** The value that could not be read, as src/input quotes it: `must be ..., not "perhaps"`, or `"perhaps" is ...`. */
const VALUE = /(?<=\bnot |^)"(?:[^"\\]|\\.)*"/

/** Refusals of one field and one reason, whatever the value. */
interface Kind {
  group: RefusalGroup
  /** Groups by value; null when there are too many values to tell them apart. */
  groups: Map<string | null, RefusalGroup> | null
}

/**
 * Groups refused rows by field and reason, in bounded memory. While a kind of refusal has only a few values, each value is a group (`"preorder"`, 95
 * times); otherwise the whole kind is one group.
 */
export class RefusalGroups {
  readonly #kinds = new Map<string, Kind>()

  /** @param line null if it is not about a row of the file. */
  add(line: number | null, sku: string | null, faults: readonly Fault[]): void {
    for (const { name, reason } of faults) {
      const [quoted] = VALUE.exec(reason) ?? []
      const value = quoted === undefined ? null : unquoted(quoted)
      const example = { line, sku, value }
      // `attributes.3` and `attributes.4` count as one field
      const field = name.replaceAll(/\.\d+/g, '')
      const kind = this.#kindOf(field, reason)
      count(kind.group, example)
      if (kind.groups === null) continue
      let group = kind.groups.get(value)
      if (group === undefined && kind.groups.size >= LIMITS.importRefusalValuesMax) {
        kind.groups = null
        continue
      }
      if (group === undefined) kind.groups.set(value, (group = { field, reason, count: 0, examples: [] }))
      count(group, example)
    }
  }

  /** The groups, the most frequent first. */
  groups(): RefusalGroup[] {
    return [...this.#kinds.values()]
      .flatMap(({ group, groups }) => (groups === null ? [group] : [...groups.values()]))
      .sort((a, b) => b.count - a.count)
      .slice(0, LIMITS.importRefusalGroupsMax)
  }

  #kindOf(field: string, reason: string): Kind {
    const key = `${field}\n${reason.replaceAll(VARIABLE, '…')}`
    const known = this.#kinds.get(key)
    if (known !== undefined) return known
    if (this.#kinds.size >= LIMITS.importRefusalGroupsMax) return this.#others()
    const kind: Kind = {
      group: { field, reason: reason.replace(VALUE, '"…"'), count: 0, examples: [] },
      groups: new Map(),
    }
    this.#kinds.set(key, kind)
    return kind
  }

  /** The group for refusals beyond the limit on the number of kinds. */
  #others(): Kind {
    const others = this.#kinds.get('others') ?? {
      group: { field: 'row', reason: 'is refused for another reason', count: 0, examples: [] },
      groups: null,
    }
    this.#kinds.set('others', others)
    return others
  }
}

/** Unquotes a value. Most reasons quote as JSON does; some only put the text between quotation marks. */
function unquoted(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1)
  }
}

function count(group: RefusalGroup, example: RefusalGroup['examples'][number]): void {
  group.count++
  if (group.examples.length < LIMITS.importRefusalExamples) group.examples.push(example)
}
