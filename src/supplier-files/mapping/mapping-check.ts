import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError, TValidationError } from 'typebox/error'
import { MUST } from '../../../contract/values.ts'
import { asError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { isObject } from '../../input/is-object.ts'
import { readWhole } from '../../input/whole.ts'
import { editDistance } from '../../model/edit-distance.ts'
import { compileFormula } from './expression.ts'
import * as shapes from './mapping-schema.ts'
import { compilePattern } from './pattern.ts'

const compiled = new Map<shapes.Shape, Validator>()

/** Checks a value against a shape; the names of faults are dotted paths. Returns whether the value is an object. */
export function checkShape(
  shape: shapes.Shape,
  value: unknown,
  path: string,
  faults: Fault[],
): value is Record<string, unknown> {
  if (!isObject(value)) {
    faults.push({ name: path, reason: 'must be an object' })
    return false
  }
  const known = Object.keys(shape.properties)
  const own: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (faults.length >= LIMITS.importMappingFaultsMax) return false
    if (known.includes(key)) own[key] = member
    else faults.push({ name: dotted(path, key), reason: unknownKey(key, known, faults) })
  }
  let validator = compiled.get(shape)
  if (validator === undefined) compiled.set(shape, (validator = Compile(shape)))
  for (const error of validator.Errors(own)) {
    if (faults.length >= LIMITS.importMappingFaultsMax) return false
    const at = error.instancePath.split('/').slice(1).join('.')
    if (error.keyword === 'required') {
      for (const key of error.params.requiredProperties) {
        faults.push({ name: dotted(path, dotted(at, key)), reason: 'is required' })
      }
    } else {
      const name = dotted(path, at)
      const reason = reasonOf(error)
      // a value may break several rules of its shape, and the first says enough
      if (reason !== undefined && faults.at(-1)?.name !== name) faults.push({ name, reason })
    }
  }
  return true
}

const TYPES: Readonly<Record<string, string>> = {
  string: MUST.string,
  boolean: MUST.flag,
  array: MUST.list,
  object: MUST.object,
  integer: MUST.whole,
}

type Keyword = TValidationError['keyword']
type ParamsOf<K extends Keyword> = Extract<TValidationError, { keyword: K }>['params']

/** What typebox finds, in the sentences of other faults, which have translations. */
const REASONS: { readonly [K in Keyword]?: (params: ParamsOf<K>) => string | undefined } = {
  enum: ({ allowedValues }) => `must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}`,
  type: ({ type }) => TYPES[String(type)],
  minLength: () => 'must not be empty',
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} values`),
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  pattern: ({ pattern }) => shapes.PATTERNS.get(String(pattern)),
  anyOf: () => shapes.TABLE_CHOICE,
  boolean: () => 'is not a known member',
}

/** @returns undefined if another error says it: that of the choice whose alternative it is, or of each unknown member */
function reasonOf({ keyword, schemaPath, params, message }: TLocalizedValidationError): string | undefined {
  if (keyword === 'additionalProperties' || schemaPath.includes('/anyOf/')) return undefined
  return REASONS[keyword]?.(params as never) ?? message
}

/** Only this many unknown keys get a suggestion: a body may have tens of thousands, and each is compared with all known keys. */
const NEAR_KEYS_MAX = 20

/** The reason for an unknown key, with the most similar known key as a suggestion. @param faults the faults found so far */
export function unknownKey(key: string, known: readonly string[], faults: readonly Fault[]): string {
  const near = faults.length < NEAR_KEYS_MAX ? nearest(key, known) : undefined
  return near === undefined
    ? `is unknown: the known keys are ${known.join(', ')}`
    : `is unknown: did you mean ${JSON.stringify(near)}?`
}

/** Longer names are not compared, and only this many known names are: an edit distance takes time in proportion to both lengths. */
const NEAR_LENGTH_MAX = 60
const NEAR_NAMES_MAX = 1_000

/** The most similar known name by edit distance (at most half of the letters, or 2), ignoring case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > NEAR_LENGTH_MAX) return undefined
  let best: string | undefined
  let least = Math.max(2, Math.floor(name.length / 2))
  for (const candidate of known.slice(0, NEAR_NAMES_MAX)) {
    if (Math.abs(candidate.length - name.length) > least) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= least && distance < Math.max(name.length, candidate.length)) {
      if (best !== undefined && distance === least) continue
      best = candidate
      least = distance
    }
  }
  return best
}

/** Joins two parts of a dotted path; either may be empty. */
export function dotted(path: string, key: string): string {
  return path === '' || key === '' ? path + key : `${path}.${key}`
}

/** Checks a source of one value. A source with `split` also needs `take`. */
export function checkSource(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === 'string') {
    if (value === '') faults.push({ name: path, reason: 'must name a column' })
    return
  }
  checkAnyKind(value, path, faults, shapes.SOURCE_SHAPES)
  checkTake(value, path, faults)
}

function checkTake(value: unknown, path: string, faults: Fault[]): void {
  if (isObject(value) && value['split'] !== undefined && value['take'] === undefined)
    faults.push({ name: dotted(path, 'take'), reason: 'is required: "split" gives several values, and one is needed' })
}

/** Checks a source of any number of values, or a list of such sources. */
export function checkListSource(value: unknown, path: string, faults: Fault[]): void {
  if (Array.isArray(value)) {
    if (value.length === 0) faults.push({ name: path, reason: 'must name a column' })
    for (const [i, member] of value.entries()) checkListMember(member, dotted(path, String(i)), faults)
  } else checkListMember(value, path, faults)
}

function checkListMember(value: unknown, path: string, faults: Fault[]): void {
  if (isObject(value) && 'column' in value) checkAnyKind(value, path, faults, shapes.SOURCE_SHAPES)
  else checkSource(value, path, faults)
}

/** Checks one entry of `fields.attributes`. */
export function checkAttribute(value: unknown, path: string, faults: Fault[]): void {
  checkAnyKind(value, path, faults, shapes.ATTRIBUTE_SHAPES)
  checkTake(value, path, faults)
}

/** Checks one entry of `fields.cost_tiers`. */
export function checkCostTier(value: unknown, path: string, faults: Fault[]): void {
  checkAnyKind(value, path, faults, shapes.COST_TIER_SHAPES)
  if (!isObject(value) || faults.length > 0) return
  for (const member of ['cost', 'per'])
    if (value[member] !== undefined) checkSource(value[member], dotted(path, member), faults)
  const { quantity } = value
  if (typeof quantity === 'number') {
    const whole = readWhole(quantity, 2, LIMITS.tierQuantityMax)
    if ('reason' in whole) faults.push({ name: dotted(path, 'quantity'), reason: whole.reason })
  } else if (quantity !== undefined) checkSource(quantity, dotted(path, 'quantity'), faults)
}

/** Checks a condition, or a list of conditions that must all be met. */
export function checkConditions(value: unknown, path: string, faults: Fault[]): void {
  if (Array.isArray(value)) {
    if (value.length === 0) faults.push({ name: path, reason: 'must have a condition' })
    for (const [i, member] of value.entries()) checkCondition(member, dotted(path, String(i)), faults)
  } else checkCondition(value, path, faults)
}

/** Checks one condition, such as an entry of `skip`. */
export function checkCondition(value: unknown, path: string, faults: Fault[]): void {
  checkAnyKind(value, path, faults, shapes.CONDITION_SHAPES)
  if (isObject(value)) checkPattern(value['matches'], dotted(path, 'matches'), faults)
}

function checkPattern(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value !== 'string') return
  try {
    compilePattern(value)
  } catch (error) {
    faults.push({ name: path, reason: `is no regular expression of RE2: ${asError(error).message}` })
  }
}

/** Checks an object of one of several kinds, which are recognized by a member, and the sources and conditions inside it. */
function checkAnyKind(value: unknown, path: string, faults: Fault[], kinds: Record<string, shapes.Shape>): void {
  if (faults.length >= LIMITS.importMappingFaultsMax) return
  const names = Object.keys(kinds)
  const kind = isObject(value) ? names.find((name) => name in value) : undefined
  const shape = kind === undefined ? undefined : kinds[kind]
  if (shape === undefined) {
    const likely = isObject(value)
      ? Object.keys(value)
          .slice(0, NEAR_KEYS_MAX)
          .find((key) => nearest(key, names) !== undefined)
      : undefined
    if (likely === undefined) faults.push({ name: path, reason: `must be an object with one of ${names.join(', ')}` })
    else faults.push({ name: dotted(path, likely), reason: unknownKey(likely, names, []) })
    return
  }
  if (checkShape(shape, value, path, faults)) checkInside(value, path, faults)
}

/** Checks the sources, conditions, formulas and regular expressions inside a source. */
function checkInside(value: Record<string, unknown>, path: string, faults: Fault[]): void {
  for (const list of ['join', 'first']) {
    const members = value[list]
    if (!Array.isArray(members)) continue
    for (const [i, member] of members.entries()) checkSource(member, dotted(dotted(path, list), String(i)), faults)
  }
  if ('sum' in value) checkSum(value, path, faults)
  checkPattern(value['capture'], dotted(path, 'capture'), faults)
  if ('when' in value) {
    checkConditions(value['when'], dotted(path, 'when'), faults)
    for (const branch of ['use', 'else'])
      if (value[branch] !== undefined) checkSource(value[branch], dotted(path, branch), faults)
  }
  if (value['where'] !== undefined) checkConditions(value['where'], dotted(path, 'where'), faults)
  if (typeof value['calc'] === 'string' && isObject(value['of'])) checkFormula(value['calc'], value['of'], path, faults)
}

/** Checks `sum`: a list of sources, or the name of a list and `amount`, the member of its elements that is added. */
function checkSum({ sum, amount, where }: Record<string, unknown>, path: string, faults: Fault[]): void {
  const at = dotted(path, 'sum')
  if (typeof sum === 'string') {
    if (sum === '') faults.push({ name: at, reason: 'must name a list' })
    if (amount === undefined)
      faults.push({ name: dotted(path, 'amount'), reason: 'is required: it says which member of the list is added' })
    return
  }
  if (Array.isArray(sum)) checkListSource(sum, at, faults)
  else faults.push({ name: at, reason: 'must be a list of sources, or the name of a list' })
  for (const [name, member] of Object.entries({ amount, where }))
    if (member !== undefined)
      faults.push({ name: dotted(path, name), reason: 'has no meaning where "sum" is a list of sources' })
}

function checkFormula(formula: string, of: Record<string, unknown>, path: string, faults: Fault[]): void {
  for (const [name, source] of Object.entries(of)) checkSource(source, dotted(dotted(path, 'of'), name), faults)
  try {
    for (const name of compileFormula(formula).names) {
      if (!Object.hasOwn(of, name))
        faults.push({ name: dotted(dotted(path, 'of'), name), reason: 'is required: the formula names it' })
    }
  } catch (error) {
    faults.push({ name: dotted(path, 'calc'), reason: asError(error).message })
  }
}
