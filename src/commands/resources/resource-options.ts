import { Option, type Command } from 'commander'
import Type from 'typebox'
import type { AccountResource } from '../../../contract/account-resource.ts'
import { RULE_CONDITIONS, type Condition } from '../../../contract/rule-conditions.ts'
import type { Reader } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { idsNamed, GROUP, STORE, SUPPLIER } from '../console/named.ts'
import { secretIn } from '../console/option-files.ts'
import { RESOURCE_NAMES, type FlagNames, type Members, type Options, type ResourceNames } from './resource-names.ts'
import { idNumbers, wholeNumber } from '../console/write.ts'

// Options that set the members of account resources, derived from their declarations.

/** The parts of a declaration's JSON schema from which options are made. */
interface Shape {
  type?: string
  const?: string
  anyOf?: readonly Shape[]
  items?: Shape
  patternProperties?: Readonly<Record<string, Shape>>
  description?: string
}

interface MemberOption {
  option: Option
  /** @param given the option's text, or its texts if it may be repeated */
  read(given: unknown, reader: Reader, accountId: number): unknown
}

/** How options name the rows that members refer to; by the member's name without _id or _ids. */
const REFERENCES = {
  store: {
    argument: 'slug',
    ids: (reader: Reader, accountId: number, texts: string[]) => idsNamed(reader, accountId, STORE, texts),
  },
  supplier: {
    argument: 'code',
    ids: (reader: Reader, accountId: number, texts: string[]) => idsNamed(reader, accountId, SUPPLIER, texts),
  },
  group: {
    argument: 'name',
    ids: (reader: Reader, accountId: number, texts: string[]) => idsNamed(reader, accountId, GROUP, texts),
  },
} as const
const isReference = (name: string): name is keyof typeof REFERENCES => Object.hasOwn(REFERENCES, name)

/** The names of the arguments of conditions, by their form. */
const ARGUMENTS = { names: '<name...>', paths: '<path...>', number: '<amount>', day: '<day>' } as const
type Described = (typeof RULE_CONDITIONS)[keyof typeof RULE_CONDITIONS][number]
const CONDITIONS: Readonly<Record<string, readonly Described[]>> = {
  'pricing-rules': RULE_CONDITIONS.pricing,
  'assortment-rules': RULE_CONDITIONS.assortment,
}

/** The option of a condition, such as --cost-min. */
export const optionOf = ({ reason }: Condition) => `--${reason.replaceAll('_', '-')}`
const dashed = (name: string) => name.replaceAll('_', '-')

export const namesOf = ({ path }: AccountResource): ResourceNames => RESOURCE_NAMES[path] ?? {}

/** Adds an option for each member that a command of the resource can set. */
export function memberOptions(command: Command, resource: AccountResource, isCreation: boolean): Command {
  const { defaults = {}, more } = namesOf(resource)
  for (const name of membersSet(resource, isCreation)) {
    const flags = flagsOf(resource, name, isCreation)
    for (const option of flags?.values() ?? []) command.addOption(option)
    if (flags !== null) continue
    const { option } = optionFor(resource, name)
    if (isCreation) option.default(defaults[name]).makeOptionMandatory(resource.required.includes(name))
    command.addOption(option)
  }
  for (const text of more?.options ?? []) command.addOption(parsed(text))
  return command
}

/** The members that the options set. @param row the edited row; null: a new one */
export async function membersGiven(
  resource: AccountResource,
  options: Options,
  row: Members | null,
  reader: Reader,
  accountId: number,
): Promise<Members> {
  const isCreation = row === null
  const members: Members = {}
  for (const name of membersSet(resource, isCreation)) {
    const flags = flagsOf(resource, name, isCreation)
    if (flags !== null) {
      for (const [value, option] of flags) if (options[option.attributeName()] === !option.negate) members[name] = value
      // a member that a creation requires is true unless its flag says otherwise
      if (isCreation && resource.required.includes(name)) members[name] ??= true
      continue
    }
    const { option, read } = optionFor(resource, name)
    const given = options[option.attributeName()]
    if (given !== undefined) members[name] = await read(given, reader, accountId)
  }
  return { ...members, ...namesOf(resource).more?.read(options, row) }
}

/** The members for which a command has an option each. */
const membersSet = (resource: AccountResource, isCreation: boolean) =>
  Object.keys(resource.fields).filter(
    (name) => (isCreation || !resource.fixed.includes(name)) && namesOf(resource).options?.[name] !== null,
  )

/** Makes an option from its flags and text, as OptionNames has them. */
function parsed(text: string): Option {
  const at = text.indexOf('  ')
  return new Option(text.slice(0, at), text.slice(at + 2))
}

/** The flags of a boolean member, by the value that each sets; null: the member is not boolean. */
function flagsOf(resource: AccountResource, name: string, isCreation: boolean): Map<boolean, Option> | null {
  if ((resource.fields[name] as Shape).type !== 'boolean') return null
  const word = dashed(name.replace(/^is_/, ''))
  const derived: FlagNames =
    word === 'active'
      ? { on: '--active  activate it again', off: '--no-active  deactivate it', atCreation: 'off' }
      : {
          on: `--${word}  ${helpOf(resource, name)}`,
          off: `--no-${word}  the opposite of --${word}`,
          atCreation: 'on',
        }
  const { on, off, atCreation, textAtCreation } =
    (namesOf(resource).options?.[name] as FlagNames | undefined) ?? derived
  const flags = new Map<boolean, Option>()
  for (const [value, text] of [
    [true, on],
    [false, off],
  ] as const) {
    if (text === undefined || (isCreation && atCreation !== undefined && (atCreation === 'on') !== value)) continue
    const option = parsed(text)
    if (isCreation && textAtCreation !== undefined) option.description = textAtCreation
    flags.set(value, option)
  }
  return flags
}

function optionFor(resource: AccountResource, name: string): MemberOption {
  const option = knownOption(resource, name)
  if (option === null) return derivedOption(resource, name)
  return { option, read: readerOf(resource, name, option.long ?? option.flags) }
}

/** The option of a member with exceptional names, or of a condition of rules; null: it is derived. */
function knownOption(resource: AccountResource, name: string): Option | null {
  const known = namesOf(resource).options?.[name]
  if (typeof known === 'string') return parsed(known)
  const condition = CONDITIONS[resource.path]?.find((one) => one.name === name)
  if (condition === undefined) return null
  const { flags } = derivedOption(resource, name).option
  const argument = condition.form === 'ids' ? flags.slice(flags.indexOf('<')) : ARGUMENTS[condition.form]
  return new Option(`${optionOf(condition)} ${argument}`, condition.texts.help)
}

function derivedOption(resource: AccountResource, name: string): MemberOption {
  const { argument, isMany } = shapeOf(resource, name)
  const long = `--${dashed(referredBy(resource, name) ?? name)}`
  return {
    option: new Option(`${long} <${argument}${isMany ? '...' : ''}>`, helpOf(resource, name)),
    read: emptied(resource.fields[name] as Shape, readerOf(resource, name, long)),
  }
}

/** Reads an empty text as null, or as an empty list. */
const emptied =
  (shape: Shape, read: MemberOption['read']): MemberOption['read'] =>
  (given, reader, accountId) => {
    if ([given].flat().some((text) => text !== '')) return read(given, reader, accountId)
    return isNullable(shape) ? null : Array.isArray(given) ? [] : read(given, reader, accountId)
  }

const alternatives = (shape: Shape) => (shape.anyOf ?? [shape]).filter(({ type }) => type !== 'null')
/** The only texts that a member allows; empty: any text. */
const wordsOf = (shape: Shape) => alternatives(shape).flatMap((one) => one.const ?? [])
const isNullable = (shape: Shape) => (shape.anyOf ?? []).some(({ type }) => type === 'null')

/** What a member refers to by our ids, such as `store` for `store_ids`; null: it does not refer to ids, as `external_id`, which is a text. */
function referredBy(resource: AccountResource, name: string): string | null {
  const [shape = {}] = alternatives(resource.fields[name] as Shape)
  if ((shape.items ?? shape).type !== 'integer') return null
  return /^(\w+?)_ids?$/.exec(name)?.[1] ?? null
}

/** The argument of a member's option, and whether it may be repeated. */
function shapeOf(resource: AccountResource, name: string): { argument: string; isMany: boolean } {
  const [shape = {}] = alternatives(resource.fields[name] as Shape)
  const of = referredBy(resource, name)
  if (resource.secrets?.includes(name) === true) return { argument: 'file', isMany: false }
  if (of !== null) return { argument: isReference(of) ? REFERENCES[of].argument : 'id', isMany: shape.type === 'array' }
  if (shape.type === 'array')
    return { argument: shape.items?.type === 'object' ? 'json' : name.replace(/s$/, ''), isMany: true }
  if (shape.type === 'object')
    return isFlatMap(shape) ? { argument: 'name=text', isMany: true } : { argument: 'json', isMany: false }
  return { argument: shape.type === 'integer' ? 'number' : dashed(name), isMany: false }
}

/** Whether the values of a map are texts: each entry is then given as `key=text`. */
const isFlatMap = ({ patternProperties = {} }: Shape) =>
  Object.values(patternProperties).every((value) => alternatives(value).every(({ type }) => type === 'string'))

function readerOf(resource: AccountResource, name: string, long: string): MemberOption['read'] {
  const shape = resource.fields[name] as Shape
  const [first = {}] = alternatives(shape)
  const of = referredBy(resource, name)
  const isMany = first.type === 'array'
  if (of !== null && isReference(of))
    return async (given, reader, accountId) => {
      const ids = await REFERENCES[of].ids(reader, accountId, [given].flat() as string[])
      return isMany ? ids : ids?.[0]
    }
  if (of !== null) return (given) => idNumbers(long, given as string[])
  if (resource.secrets?.includes(name) === true) return (given) => secretIn(String(given))
  const words = wordsOf(shape)
  return (given) => {
    // the entries of this list are objects, given as JSON
    if (Array.isArray(given) && first.items?.type === 'object')
      return fitting(
        resource,
        name,
        given.filter((text) => text !== '').map((text) => json(long, String(text))),
      )
    if (Array.isArray(given))
      return first.type === 'object' ? Object.fromEntries(given.map((text) => entry(long, String(text)))) : given
    const text = String(given)
    if (first.type === 'integer') return text === '' && isNullable(shape) ? null : wholeNumber(long, text)
    if (first.type === 'object') return fitting(resource, name, json(long, text))
    if (words.length > 0 && !words.includes(text))
      throw new ShelfwireError('invalid-input', `${resource.noun}: ${name} must be one of ${words.join(', ')}`, {
        faults: [{ name, reason: `must be one of ${words.join(', ')}` }],
      })
    return text
  }
}

/** The declaration's description of a member, in the words of a command line. */
function helpOf({ fields, secrets }: AccountResource, name: string): string {
  const shape = fields[name] as Shape
  const text = shape.description ?? alternatives(shape)[0]?.description ?? name.replace(/^is_/, '').replaceAll('_', ' ')
  const words = wordsOf(shape)
  return [
    text.replace(/\.$/, '').replaceAll('null:', 'empty:'),
    ...(words.length === 0 ? [] : [` (${words.join(', ')})`]),
    // everybody on the machine can read a command line
    ...(secrets?.includes(name) === true ? ['; in a file, or - for standard input'] : []),
  ].join('')
}

/** Splits `en=Weight`. */
function entry(long: string, text: string): [string, string | null] {
  const at = text.indexOf('=')
  if (at < 1) throw new ShelfwireError('invalid-input', `${long} takes entries such as en=Weight, not "${text}"`)
  const value = text.slice(at + 1)
  return [text.slice(0, at), value === '' ? null : value]
}

function json(long: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ShelfwireError('invalid-input', `${long} takes JSON, not "${text.slice(0, 80)}"`, { cause: error })
  }
}

/** Validates a value with the declaration of its member, as in a body of /v1. @returns the value. @throws ShelfwireError invalid-input */
async function fitting({ noun, fields }: AccountResource, name: string, value: unknown): Promise<unknown> {
  const { shapeReader } = await import('../../serve/writing/shape.ts')
  shapeReader(Type.Object({ [name]: fields[name] as Type.TSchema }))({ [name]: value }, noun)
  return value
}
