import type { ReactNode } from 'react'
import type { FieldsOf, FixedOf, KeyOf, RequiredOf, Resource, ResourceName } from '../api/resources.ts'
import type { WordsName } from './words.ts'
import { isObject } from './is-object.ts'

// How a resource is edited: each of its members has a field. The types come from the contract, so that a member without a field, a
// field of the wrong type, or a wrong list of required or fixed members does not compile.

/** Properties of a field's input. */
export interface InputProps<V> {
  name: string
  label: string
  hint?: string | undefined
  /** Replaces the field's own placeholder. */
  placeholder?: string | undefined
  value: V
  set: (value: V) => void
  error: string | undefined
  isDisabled: boolean
  isRequired: boolean
  /** Whether the field gets the focus when the form opens. */
  isFirst: boolean
}

/** A form field: T is the type of the member, V the value that the form holds. */
export interface Field<T, V = unknown> {
  /** The form's value for a member. */
  read: (member: T) => V
  /** The member to send. Invalid input is sent as it is, and the service refuses it. */
  write: (value: V) => unknown
  /** The value in one line, for the comparison with another person's value in a conflict. */
  show: (value: V, words: { yes: string; no: string }) => string
  Input: (props: InputProps<V>) => ReactNode
}

// only the field itself knows the type of the form's value
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyField<T> = Field<T, any>

export interface FormSpec {
  /** The resource whose words it uses. */
  name: WordsName
  required: readonly string[]
  fixed: readonly string[]
  /** Fields by member name. */
  fields: object
  /** Members under "More settings" in the form for a new one: their defaults suit most accounts. */
  more?: readonly string[]
  /** Whether a member has a meaning with the other values. Members without one are hidden and keep their values. */
  isShown?: (name: string, values: Values) => boolean
  /** Placeholders that depend on the other values. */
  placeholders?: Readonly<Record<string, (values: Values) => string>>
  /** Proposed values of a new one, derived from the other values until the member itself is edited. */
  proposed?: Readonly<Record<string, (values: Values) => unknown>>
}

export interface ResourceSpec<N extends ResourceName> extends FormSpec {
  name: N
  key: KeyOf<N>
  required: RequiredOf<N>
  fixed: FixedOf<N>
  fields: { readonly [K in keyof FieldsOf<N>]: AnyField<FieldsOf<N>[K]> }
  /** The initial values of a new one. */
  initial: FieldsOf<N>
  /** The name that people use for it. */
  titleOf: (item: Resource<N>) => string
}

export type Values = Record<string, unknown>
type Fields = Readonly<Record<string, AnyField<unknown>>>

export const fieldsOf = (spec: { fields: object }): [name: string, field: AnyField<unknown>][] =>
  Object.entries(spec.fields as Fields)

/** The form's initial values. */
export function formValues(spec: { fields: object }, members: object): Values {
  const given = members as Values
  return Object.fromEntries(fieldsOf(spec).map(([name, field]) => [name, field.read(given[name])]))
}

/** The form's values after `typed` was entered, with updated proposals. */
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

/** The body of a change: members that differ from `base`; in maps, null for removed entries. */
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

/** The merge patch that turns one value into another (RFC 7396). */
function mergePatch(old: unknown, next: unknown): unknown {
  if (!isObject(old) || !isObject(next)) return next
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(next, name))
  return {
    ...Object.fromEntries(Object.entries(next).map(([name, value]) => [name, mergePatch(old[name], value)])),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  }
}
