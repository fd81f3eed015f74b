import type Type from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'

// by default it stops at the eighth misfit, where alternatives alone make three of each
Settings.Set({ maxErrors: 200 })

/** What typebox tells of one thing that does not fit. */
interface Misfit {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** A reader of values of one shape. @throws ShelfwireError invalid-input, naming every member that does not fit. */
export type ShapeReader = (value: unknown, what: string) => Record<string, unknown>

/** Compiles a schema once; its texts in `x-must` are told in place of alternatives that none fits. */
export function shapeReader(schema: Type.TSchema): ShapeReader {
  const compiled = Compile(schema)
  return (value, what) => {
    if (compiled.Check(value)) return value as Record<string, unknown>
    const faults = faultsOf(schema, compiled.Errors(value))
    const [first] = faults
    throw new ShelfwireError('invalid-input', `${what}: ${first?.name ?? 'body'} ${first?.reason ?? 'does not fit'}`, {
      faults,
    })
  }
}

function faultsOf(schema: Type.TSchema, misfits: readonly Misfit[]): Fault[] {
  const faults: Fault[] = []
  const note = (pointer: string, member: string | null, reason: string) => {
    const name = [...nameOf(pointer), ...(member === null ? [] : [member])].join('.').slice(0, 200) || 'body'
    if (!faults.some((fault) => fault.name === name)) faults.push({ name, reason })
  }
  // of alternatives that none fits only the whole is told, unless the fault lies deeper than the choice
  const choices = misfits.filter((misfit) => misfit.keyword === 'anyOf')
  for (const misfit of misfits) {
    const { keyword, instancePath, schemaPath, params, message } = misfit
    // an alternative that does not fit at the very place of the choice: the choice tells of it
    if (
      choices.some(
        (choice) =>
          choice !== misfit &&
          choice.instancePath === instancePath &&
          schemaPath.startsWith(`${choice.schemaPath}/anyOf/`),
      )
    )
      continue
    if (keyword === 'anyOf') {
      if (!isInside(misfits, misfit)) note(instancePath, null, wordsAt(schema, schemaPath) ?? message)
    } else if (keyword === 'required')
      for (const name of params['requiredProperties'] as string[]) note(instancePath, name, 'is needed')
    else if (keyword === 'boolean') note(instancePath, null, 'is not known here')
    else if (keyword !== 'additionalProperties')
      note(
        instancePath,
        null,
        message
          .replace('must be string', 'must be a text')
          .replace('must be integer', 'must be a whole number')
          .replace('must be boolean', 'must be true or false')
          .replace('must be object', 'must be an object')
          .replace('must be array', 'must be a list'),
      )
  }
  return faults
}

/** Whether what does not fit lies inside of what a choice is about: then that is worth telling. */
function isInside(misfits: readonly Misfit[], choice: Misfit): boolean {
  return misfits.some(
    (misfit) =>
      misfit.instancePath.startsWith(`${choice.instancePath}/`) &&
      misfit.schemaPath.startsWith(`${choice.schemaPath}/anyOf/`),
  )
}

function nameOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function wordsAt(schema: Type.TSchema, pointer: string): string | undefined {
  let node: unknown = schema
  for (const part of nameOf(pointer.replace('#', ''))) node = (node as Record<string, unknown> | undefined)?.[part]
  return (node as { 'x-must'?: string } | undefined)?.['x-must']
}
