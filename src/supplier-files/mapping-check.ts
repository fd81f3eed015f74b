import { Compile, type Validator } from 'typebox/compile'
import type { Fault } from '../platform/errors.ts'
import * as shapes from './mapping-schema.ts'

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
    if (known.includes(key)) own[key] = member
    else faults.push({ name: dotted(path, key), reason: unknownKey(key, known) })
  }
  let validator = compiled.get(shape)
  if (validator === undefined) compiled.set(shape, (validator = Compile(shape)))
  for (const error of validator.Errors(own)) {
    const at = error.instancePath.split('/').slice(1).join('.')
    if (error.keyword === 'required') {
      for (const key of error.params.requiredProperties) {
        faults.push({ name: dotted(path, dotted(at, key)), reason: 'is required' })
      }
    } else faults.push({ name: dotted(path, at), reason: reasonOf(error) })
  }
  return true
}

function reasonOf(error: { keyword: string; message: string; params: object }): string {
  if (error.keyword === 'enum')
    return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.map((v) => JSON.stringify(v)).join(', ')}`
  return error.message
}

/** The fault of an unknown key, suggesting the most similar known key. */
export function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  return near === undefined
    ? `is unknown: the known keys are ${known.join(', ')}`
    : `is unknown: did you mean ${JSON.stringify(near)}?`
}

/** The most similar known name by edit distance (at most half of the letters, or 2), ignoring case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(name.length / 2))
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= least && distance < Math.max(name.length, candidate.length)) {
      if (best !== undefined && distance === least) continue
      best = candidate
      least = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Joins two parts of a dotted path, either of which may be empty. */
export function dotted(path: string, key: string): string {
  return path === '' || key === '' ? path + key : `${path}.${key}`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks a source of one value: with `split` it also needs `take`. */
export function checkSource(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === 'string') {
    if (value === '') faults.push({ name: path, reason: 'must name a column' })
    return
  }
  checkAnySource(value, path, faults, {
    column: shapes.ColumnShape,
    constant: shapes.ConstantShape,
    join: shapes.JoinShape,
  })
  if (isObject(value) && value['split'] !== undefined && value['take'] === undefined) {
    faults.push({ name: dotted(path, 'take'), reason: 'is required: "split" gives several values, and one is needed' })
  }
}

/** Checks a source of any number of values, or a list of such sources. */
export function checkListSource(value: unknown, path: string, faults: Fault[]): void {
  if (Array.isArray(value)) {
    if (value.length === 0) faults.push({ name: path, reason: 'must name a column' })
    for (const [i, member] of value.entries()) checkListMember(member, dotted(path, String(i)), faults)
  } else checkListMember(value, path, faults)
}

function checkListMember(value: unknown, path: string, faults: Fault[]): void {
  if (isObject(value) && 'column' in value) checkShape(shapes.ColumnShape, value, path, faults)
  else checkSource(value, path, faults)
}

/** Checks one entry of `fields.attributes`. */
export function checkAttribute(value: unknown, path: string, faults: Fault[]): void {
  checkAnySource(value, path, faults, {
    packed: shapes.PackedShape,
    object: shapes.ObjectShape,
    column: shapes.KeyedColumnShape,
    constant: shapes.KeyedConstantShape,
    join: shapes.KeyedJoinShape,
  })
  if (isObject(value) && value['split'] !== undefined && value['take'] === undefined) {
    faults.push({ name: dotted(path, 'take'), reason: 'is required: "split" gives several values, and one is needed' })
  }
}

/** Checks one entry of `skip`. */
export function checkSkip(value: unknown, path: string, faults: Fault[]): void {
  checkAnySource(value, path, faults, { in: shapes.SkipInShape, notIn: shapes.SkipNotInShape })
}

/** Checks an object of one of several kinds, which are distinguished by a key that only that kind has. */
function checkAnySource(value: unknown, path: string, faults: Fault[], kinds: Record<string, shapes.Shape>): void {
  const names = Object.keys(kinds)
  const kind = isObject(value) ? names.find((name) => name in value) : undefined
  const shape = kind === undefined ? undefined : kinds[kind]
  if (shape === undefined) {
    const likely = isObject(value) ? Object.keys(value).find((key) => nearest(key, names) !== undefined) : undefined
    if (likely === undefined) faults.push({ name: path, reason: `must be an object with one of ${names.join(', ')}` })
    else faults.push({ name: dotted(path, likely), reason: unknownKey(likely, names) })
    return
  }
  if (checkShape(shape, value, path, faults) && Array.isArray(value['join'])) {
    for (const [i, member] of value['join'].entries())
      checkSource(member, dotted(dotted(path, 'join'), String(i)), faults)
  }
}
