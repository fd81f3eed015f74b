import type { ReactNode } from 'react'
import type { FieldsOf, FixedOf, KeyOf, RequiredOf, Resource, ResourceName } from '../api/resources.ts'
import type { WordsName } from './words.ts'

// How a resource is edited: each of its members has a field. The types are those that the contract declares, so a member without a
// field, a field of another type and a list of required or fixed members that differs do not compile.

/** What an input of a field gets. */
export interface InputProps<V> {
  name: string
  label: string
  hint?: string | undefined
  /** In place of the field's own. */
  placeholder?: string | undefined
  value: V
  set: (value: V) => void
  error: string | undefined
  isDisabled: boolean
  isRequired: boolean
  /** Whether the field gets the focus when the form opens. */
  isFirst: boolean
}

/** A member as it is typed: T is the member, V what the form holds of it. */
export interface Field<T, V = unknown> {
  /** What the form begins with. */
  read: (member: T) => V
  /** The member to send; what is typed wrongly is sent as it is, for the service to refuse. */
  write: (value: V) => unknown
  /** The value in one line, as it stands beside that of somebody else in a conflict. */
  show: (value: V, words: { yes: string; no: string }) => string
  Input: (props: InputProps<V>) => ReactNode
}

// what a form holds is known to its own field only
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyField<T> = Field<T, any>

/** What a form needs to know. */
export interface FormSpec {
  /** The resource whose words name it. */
  name: WordsName
  required: readonly string[]
  fixed: readonly string[]
  /** Fields by the names of their members. */
  fields: object
  /** Members that the form for a new one has under "More settings": their defaults suit most accounts. */
  more?: readonly string[]
  /** Whether a member means anything by what else is typed; those that do not are left out of the form, and stay as they are. */
  isShown?: (name: string, values: Values) => boolean
  /** An example of a member's value by what else is typed. */
  placeholders?: Readonly<Record<string, (values: Values) => string>>
  /** What a member of a new one is by what else is typed, until it is typed itself. */
  proposed?: Readonly<Record<string, (values: Values) => unknown>>
}

export interface ResourceSpec<N extends ResourceName> extends FormSpec {
  name: N
  key: KeyOf<N>
  required: RequiredOf<N>
  fixed: FixedOf<N>
  fields: { readonly [K in keyof FieldsOf<N>]: AnyField<FieldsOf<N>[K]> }
  /** What a new one has before anything is typed. */
  initial: FieldsOf<N>
  /** What people call it. */
  titleOf: (item: Resource<N>) => string
}

export type Values = Record<string, unknown>
type Fields = Readonly<Record<string, AnyField<unknown>>>

export const fieldsOf = (spec: { fields: object }): [name: string, field: AnyField<unknown>][] =>
  Object.entries(spec.fields as Fields)

/** What a form begins with. */
export function formValues(spec: { fields: object }, members: object): Values {
  const given = members as Values
  return Object.fromEntries(fieldsOf(spec).map(([name, field]) => [name, field.read(given[name])]))
}

/** What was typed in a new one, with what it changes of the members that are proposed. */
export function withProposals(spec: Pick<FormSpec, 'proposed'>, values: Values, typed: Values): Values {
  const next = { ...values, ...typed }
  const changed = Object.entries(spec.proposed ?? {}).flatMap(([name, propose]) => {
    const isOurs = values[name] === '' || values[name] === propose(values)
    return isOurs && !Object.hasOwn(typed, name) ? [[name, propose(next)] as const] : []
  })
  return { ...typed, ...Object.fromEntries(changed) }
}

/** The body of a creation. */
export function newBody(spec: { fields: object }, values: Values): Values {
  return Object.fromEntries(fieldsOf(spec).map(([name, field]) => [name, field.write(values[name])]))
}

/** The body of a change: members that were typed differently from `base`; in maps, null for what was removed. */
export function changedBody(spec: { fields: object; fixed: readonly string[] }, base: object, values: Values): Values {
  const before = base as Values
  return Object.fromEntries(
    fieldsOf(spec).flatMap(([name, field]) => {
      if (spec.fixed.includes(name)) return []
      const [old, next] = [field.write(field.read(before[name])), field.write(values[name])]
      return JSON.stringify(old) === JSON.stringify(next) ? [] : [[name, mergePatch(old, next)]]
    }),
  )
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What turns one value into the other (RFC 7396). */
function mergePatch(old: unknown, next: unknown): unknown {
  if (!isMap(old) || !isMap(next)) return next
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(next, name))
  return {
    ...Object.fromEntries(Object.entries(next).map(([name, value]) => [name, mergePatch(old[name], value)])),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  }
}
