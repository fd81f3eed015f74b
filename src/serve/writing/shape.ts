import type Type from 'typebox'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { wordsOf } from '../../../contract/values.ts'
import { actualValueSuffix } from '../../input/verdict.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'

// typebox's default is eight, and alternatives alone produce three errors each
const ERRORS_MAX = 200
Settings.Set({ maxErrors: ERRORS_MAX })

/** One error as typebox reports it. */
interface Misfit {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** Checks a value against a schema. @param what is checked, for the error. @throws ShelfwireError invalid-input, naming every misfit */
export type ShapeReader<T extends Type.TSchema = Type.TSchema> = (value: unknown, what: string) => Static<T>

/**
 * Makes a reader that compiles its schema at the first value: compiling those of all routes took a tenth of the processor time of a
 * start. The schema's `x-must` is the message when none of several alternatives fits.
 */
export function shapeReader<T extends Type.TSchema>(schema: T): ShapeReader<T> {
  const compile = () => Compile(schema)
  let known: ReturnType<typeof compile> | undefined
  return (value, what) => {
    const compiled = (known ??= compile())
    if (compiled.Check(value)) return value
    const faults = faultsOf(schema, value, compiled.Errors(withFewUnknown(schema, value)))
    const [first] = faults
    throw new ShelfwireError('invalid-input', `${what}: ${first?.name ?? 'body'} ${first?.reason ?? 'does not fit'}`, {
      faults,
    })
  }
}

/** The value with at most as many unknown members as are reported: typebox takes 60 ms to look at 60,000. */
function withFewUnknown(schema: Type.TSchema, value: unknown): unknown {
  const { properties, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown }
  if (properties === undefined || additionalProperties !== false) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value)
  if (names.length <= ERRORS_MAX) return value
  let unknown = 0
  const kept = new Set(names.filter((name) => Object.hasOwn(properties, name)))
  for (const name of names) {
    if (unknown === ERRORS_MAX) break
    if (!kept.has(name)) unknown++
    kept.add(name)
  }
  // fromEntries and not assignment: a member may be named __proto__
  return Object.fromEntries([...kept].map((name) => [name, (value as Record<string, unknown>)[name]]))
}

function faultsOf(schema: Type.TSchema, value: unknown, misfits: readonly Misfit[]): Fault[] {
  const faults: Fault[] = []
  const note = (pointer: string, member: string | null, reason: string) => {
    const name = [...partsOf(pointer), ...(member === null ? [] : [member])].join('.').slice(0, 200) || 'body'
    if (!faults.some((fault) => fault.name === name)) faults.push({ name, reason })
  }
  // when no alternative fits, only the choice itself is reported, unless the fault is deeper
  const choices = misfits.filter((misfit) => misfit.keyword === 'anyOf')
  for (const misfit of misfits) {
    const { keyword, instancePath, schemaPath, params } = misfit
    // an alternative that fails at the same place as the choice is covered by the choice's error
    if (
      choices.some(
        (choice) =>
          choice !== misfit &&
          choice.instancePath === instancePath &&
          schemaPath.startsWith(`${choice.schemaPath}/anyOf/`),
      )
    )
      continue
    if (keyword === 'required')
      for (const name of params['requiredProperties'] as string[]) note(instancePath, name, 'is required')
    else if (keyword === 'boolean') note(instancePath, null, 'is not a known member')
    else if (keyword !== 'additionalProperties' && !(keyword === 'anyOf' && isInside(misfits, misfit)))
      note(instancePath, null, messageOf(misfit, schema) + actualValueSuffix(at(value, instancePath)))
  }
  return faults
}

/** The message for a value that does not fit; bounds of numbers and lists have messages of their own. */
function messageOf({ keyword, schemaPath, message }: Misfit, schema: Type.TSchema): string {
  const node = at(schema, schemaPath.replace('#', '')) as Type.TSchema
  return keyword === 'type' || keyword === 'anyOf' || 'x-must' in node ? wordsOf(node) : message
}

/** Whether an alternative has an error at a deeper place, which is then reported instead of the choice. */
function isInside(misfits: readonly Misfit[], choice: Misfit): boolean {
  return misfits.some(
    (misfit) =>
      misfit.instancePath.startsWith(`${choice.instancePath}/`) &&
      misfit.schemaPath.startsWith(`${choice.schemaPath}/anyOf/`),
  )
}

/** The value at a JSON pointer. */
function at(value: unknown, pointer: string): unknown {
  let node = value
  for (const part of partsOf(pointer)) node = (node as Record<string, unknown> | undefined)?.[part]
  return node
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
