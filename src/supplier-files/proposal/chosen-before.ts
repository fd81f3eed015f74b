import { isDeepStrictEqual } from 'node:util'
import { ShelfwireError } from '../../platform/errors.ts'
import { readMappingDocument } from '../mapping-document.ts'
import { parseMapping, type Grouping, type Mapping } from '../mapping/mapping.ts'
import { priceKindOf } from './price-columns.ts'

// Proposes again what the merchant chose for columns before. The mappings that the account uses are the memory
// (docs/decisions/176-mappings-are-the-memory.md).

/** A mapping that the account uses, as it was given. */
export interface KnownMapping {
  /** The name of its supplier. */
  supplier: string
  /** Whether it is the mapping of the supplier whose file is examined, whose choices have precedence. */
  isOwn: boolean
  mapping: unknown
}

/** The members of a proposal that earlier choices can replace. */
interface Replaceable {
  fields: Record<string, unknown>
  group?: Grouping | undefined
  skip?: Mapping['skip'] | undefined
  availability?: Mapping['availability'] | undefined
  each?: string | undefined
}

/** Records a reason. `isInstead`: it replaces the earlier reasons for the member. */
type Note = (path: string, reason: string, isInstead?: boolean) => void

/** A file must have at least this share of a mapping's columns, and at least this many of them, before any of its choices is proposed. */
const FIT_MIN = 0.5
const COLUMNS_MIN = 2
/** Fields that are meaningful only together with the other columns of their mapping. */
const OF_WHOLE = ['group_key', 'group_title', 'group_position', 'group_options', 'attributes']
/** The greatest length of a source in a reason. */
const SHOWN_MAX = 200

/**
 * Replaces parts of a proposed mapping by what the account chose before. Adds the reasons to `reasons`, and removes those of the replaced parts.
 * @param hasColumn whether the file has a column or path
 * @param isReady whether a ready mapping was found: then only mappings whose columns are all in the file count
 * @returns `isChosen`: whether a field was chosen before
 */
export function applyEarlierChoices(
  mapping: Mapping,
  known: readonly KnownMapping[],
  hasColumn: (column: string) => boolean,
  isReady: boolean,
  reasons: { path: string; reason: string }[],
): { mapping: Mapping; isChosen: (field: string) => boolean } {
  const found: { path: string; reason: string; isInstead: boolean }[] = []
  const { fields, group, skip, availability, each } = mapping
  const chosen = chooseAsBefore(
    { fields: { ...fields }, group, skip, availability, each },
    known,
    hasColumn,
    isReady,
    (path, reason, isInstead = false) => void found.push({ path, reason, isInstead }),
  )
  if (found.length === 0) return { mapping, isChosen: () => false }
  try {
    const parsed = parseMapping({ ...mapping, ...chosen }, 'stored')
    const instead = new Set(found.flatMap(({ path, isInstead }) => (isInstead ? [path] : [])))
    const kept = reasons.filter(({ path }) => !instead.has(path))
    reasons.splice(0, Infinity, ...kept, ...found.map(({ path, reason }) => ({ path, reason })))
    const isChosen = (field: string) =>
      [...instead].some((path) => path === `fields.${field}` || path.startsWith(`fields.${field}.`))
    return { mapping: parsed, isChosen }
  } catch (error) {
    // the choices conflict with the rest, for instance two texts in one language
    if (!(error instanceof ShelfwireError)) throw error
    return { mapping, isChosen: () => false }
  }
}

/**
 * Replaces what is proposed for columns by what the account chose for them in its mappings, and notes it. The first mapping with a choice for a
 * field counts; if another one differs, that is noted, too.
 * @param known the supplier's own mappings first, then those that were used last
 * @param hasColumn whether the file has a column or path
 * @param isReady whether a ready mapping was found: then only mappings whose columns are all in the file count
 * @returns the members after the replacement
 */
function chooseAsBefore(
  proposed: Replaceable,
  known: readonly KnownMapping[],
  hasColumn: (column: string) => boolean,
  isReady: boolean,
  note: Note,
): Replaceable {
  const { fields } = proposed
  const chosen: Record<string, unknown> = {}
  const whose = new Map<string, string>()
  const settings: Partial<Omit<Replaceable, 'fields'>> = {}
  for (const { supplier, isOwn, mapping, own } of readable(known)) {
    const fit = fitOf(mapping, hasColumn)
    if (!fit.isWhole && (isReady || !fit.isPart)) continue
    // choices for the elements of a list do not apply to records, and the reverse
    const { each } = 'each' in settings ? settings : proposed
    if (mapping.each !== each) {
      if (!isOwn || !fit.isWhole || whose.size > 0 || mapping.each === undefined) continue
      settings.each = mapping.each
      note('each', `chosen before in the mapping of ${quoted(supplier)}`, true)
    }
    for (const [field, source] of Object.entries(own)) {
      const isOfWhole = OF_WHOLE.includes(field)
      if (source === null || (isOfWhole && !fit.isWhole)) continue
      const columns = columnsOf(source)
      if (columns.needed.length + columns.optional.length === 0 || !columns.needed.every(hasColumn)) continue
      if (columns.needed.length === 0 && !columns.optional.some(hasColumn)) continue
      const path = `fields.${field}`
      const before = whose.get(field)
      if (before !== undefined) {
        if (!isDeepStrictEqual(chosen[field] ?? fields[field], source))
          note(path, `in the mapping of ${quoted(supplier)} it is ${shown(source)}`)
        continue
      }
      if (isDeepStrictEqual(fields[field], source)) {
        whose.set(field, supplier)
        continue
      }
      // the other supplier's list may have had no purchase price to choose
      if (field === 'cost' && !isOwn && isPurchase(fields['cost']) && !isPurchase(source)) {
        note(path, `the mapping of ${quoted(supplier)} has ${shown(source)} there, and no purchase price`)
        continue
      }
      whose.set(field, supplier)
      chosen[field] = source
      note(
        path,
        `chosen before in the mapping of ${quoted(supplier)}: ${shown(source)}${fields[field] === undefined ? '' : `, in place of ${shown(fields[field])}`}`,
        true,
      )
    }
    if (!fit.isWhole) continue
    for (const name of ['group', 'skip', 'availability'] as const) {
      if (mapping[name] === undefined || settings[name] !== undefined) continue
      if (isDeepStrictEqual(mapping[name], proposed[name])) continue
      Object.assign(settings, { [name]: mapping[name] })
      note(name, `chosen before in the mapping of ${quoted(supplier)}`, true)
    }
  }
  const freed = withoutTaken(fields, chosen, note)
  return { fields: { ...freed, ...chosen }, ...settings }
}

/**
 * The list of articles in the supplier's own mapping, if the file has all columns of this mapping; the fields are then proposed for its elements.
 * @returns undefined without such a mapping; null if its records are the articles
 */
export function articleListChosenBefore(
  known: readonly KnownMapping[],
  hasColumn: (column: string) => boolean,
): { each: string; supplier: string } | null | undefined {
  const own = readable(known).find(({ isOwn, mapping }) => isOwn && fitOf(mapping, hasColumn).isWhole)
  if (own === undefined) return undefined
  const { each } = own.mapping
  return each === undefined ? null : { each, supplier: own.supplier }
}

interface Readable extends KnownMapping {
  mapping: Mapping
  /** Its fields; if it extends a ready mapping, only those that differ. */
  own: Readonly<Record<string, unknown>>
}

/** Parses the mappings. Those of other releases that cannot be read any more are skipped. */
function readable(known: readonly KnownMapping[]): Readable[] {
  return known.flatMap((one) => {
    try {
      const mapping = readMappingDocument(one.mapping, 'stored')
      const given = one.mapping as { preset?: unknown; fields?: Record<string, unknown> }
      return [{ ...one, mapping, own: given.preset === undefined ? { ...mapping.fields } : (given.fields ?? {}) }]
    } catch {
      return []
    }
  })
}

/** How many of the columns that a mapping needs are in a file: all (`isWhole`), or enough of them (`isPart`). */
function fitOf(mapping: Mapping, hasColumn: (column: string) => boolean): { isWhole: boolean; isPart: boolean } {
  const { group, fields, skip = [] } = mapping
  const grouping =
    group === undefined ? [] : [group.by, group.parent, ...(group.inherit ?? []), ...(group.collect ?? [])]
  const optional = new Set(group?.optional)
  const needed = new Set(
    columnsOf([...Object.values(fields), ...grouping, ...skip, group?.offers]).needed.filter(
      (name) => !optional.has(name),
    ),
  )
  const found = [...needed].filter(hasColumn).length
  const isEnough = found >= Math.min(COLUMNS_MIN, needed.size)
  return { isWhole: isEnough && found === needed.size, isPart: isEnough && found >= needed.size * FIT_MIN }
}

/** The columns that a source reads: those that a file must have, and those that it may lack. */
function columnsOf(source: unknown): { needed: string[]; optional: string[] } {
  const needed: string[] = []
  const optional: string[] = []
  const look = (value: unknown) => {
    if (typeof value === 'string') needed.push(value)
    else if (Array.isArray(value)) for (const member of value as unknown[]) look(member)
    else if (typeof value === 'object' && value !== null) lookInto(value as Record<string, unknown>)
  }
  const lookInto = (of: Record<string, unknown>) => {
    const name = [of['column'], of['packed'], of['object'], of['list'], of['tiers'], of['names']].find(
      (member) => typeof member === 'string',
    )
    const numbered = typeof of['pairs'] === 'string' ? of['pairs'].replace('{n}', '1') : undefined
    const one = name ?? numbered
    if (typeof one === 'string') (of['optional'] === true ? optional : needed).push(one)
    if (typeof of['values'] === 'string') (of['optional'] === true ? optional : needed).push(of['values'])
    for (const member of ['join', 'first', 'sum', 'use', 'else', 'when', 'quantity', 'cost', 'per'])
      if (of[member] !== undefined) look(of[member])
    if (typeof of['of'] === 'object' && of['of'] !== null) for (const member of Object.values(of['of'])) look(member)
  }
  look(source)
  return { needed, optional }
}

/** The proposed fields without those whose columns were chosen for another field. */
function withoutTaken(
  fields: Readonly<Record<string, unknown>>,
  chosen: Readonly<Record<string, unknown>>,
  note: Note,
): Record<string, unknown> {
  const taken = new Map(
    Object.entries(chosen).flatMap(([field, source]) => (typeof source === 'string' ? [[source, field] as const] : [])),
  )
  return Object.fromEntries(
    Object.entries(fields).filter(([field, source]) => {
      const by = typeof source === 'string' ? taken.get(source) : undefined
      if (by === undefined || by === field || field === 'sku' || chosen[field] !== undefined) return true
      note(`fields.${by}`, `${shown(source)} would have been the ${field}`)
      return false
    }),
  )
}

const isPurchase = (source: unknown): boolean =>
  columnsOf(source).needed.some((column) => priceKindOf(column)?.kind === 'purchase')
const quoted = (text: string) => JSON.stringify(text)
const shown = (source: unknown) => JSON.stringify(source).slice(0, SHOWN_MAX)
