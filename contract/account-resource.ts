import Type, { type Static } from 'typebox'
import type { Parameters } from './route.ts'
import type { Tag } from './tags.ts'
import { closed, echoed, optional, resettable } from './values.ts'

// Account resources: what an account sets below /v1/account. POST and PUT have complete bodies: a member that is absent
// or null gets its default. A PATCH body is a merge patch (RFC 7396): absent is unchanged, null restores the default.
// Bodies of PUT and PATCH may contain assigned members as they were read, so that the result of a GET can be sent back.

type Fields = Readonly<Record<string, Type.TSchema>>

/**
 * Declares one kind of account resource. Its routes (contract/routes/account-resources.ts), its bodies, its part of the
 * document and the types of its handlers are derived from it.
 */
export interface AccountResource {
  /**
   * The path below /v1/account. If each one belongs to something, such as a supplier, its path parameters are in
   * braces.
   */
  path: string
  /** The group of its routes in the document; by default the path. */
  tag?: Tag
  params?: Parameters
  /** Singular, as used in texts. */
  noun: string
  /** The member that identifies one in the path. */
  key: { name: string; isText: boolean; description: string }
  /** Members of a body, with their schemas. */
  fields: Fields
  /** Members that hold secrets, in an object with a `kind`: the audit trail records only the kind. */
  secrets?: readonly string[]
  /** Members that are required at creation. */
  required: readonly string[]
  /** Members that are set at creation and never changed. Includes the key if the owner chooses it. */
  fixed: readonly string[]
  /** Read-only members that the service assigns. */
  given: Fields
  /** Read-only members that change without an edit: the ETag does not cover them, and their values in a body are ignored. */
  state?: Fields
  /** Name of the representation's schema, which ends in Resource. */
  schema: string
  /** Members that only the answer to a creation has. */
  once?: Fields
  /** Whether a session of the panel must confirm with the password or a passkey before it creates one, because the answer shows a secret. */
  needsConfirmation?: true
  /** What a deletion does, for the document. */
  deletion: string
}

type Member<R extends AccountResource, Name> = Name extends keyof R['fields'] ? Static<R['fields'][Name]> : never
/** Members of a new resource, after defaults are filled in. */
export type NewMembers<R extends AccountResource, Defaulted = never> = {
  [Name in keyof R['fields'] & (R['required'][number] | Defaulted)]: Member<R, Name>
} & { [Name in Exclude<keyof R['fields'], R['required'][number] | Defaulted>]?: Member<R, Name> }
/**
 * Members that an edit sets. A member can be null if it has no default, or if it is a map in which null has a meaning
 * of its own.
 */
export type ChangedMembers<R extends AccountResource, Defaulted> = {
  -readonly [Name in Exclude<keyof R['fields'], R['fixed'][number]>]?:
    | Member<R, Name>
    | (Name extends Defaulted | R['required'][number] ? never : null)
}
/** Names of all members of a representation. */
export type MemberNames<R extends AccountResource> = (keyof R['fields'] | keyof R['given'] | StateNames<R>) & string
type StateNames<R extends AccountResource> = R extends { state: infer State } ? keyof State : never

/** A noun with its article. */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** The body of POST: required members, and optional ones that null resets to their default. */
export const createBody = ({ fields, required }: AccountResource) =>
  Type.Object({ ...pick(fields, required), ...optional(resettable(omit(fields, required))) }, closed)
/** The body of PATCH: any members that can be changed. Fixed and assigned ones may be repeated unchanged. */
export const patchBody = ({ fields, fixed, given, state }: AccountResource) =>
  Type.Object(
    {
      ...optional(resettable(omit(fields, fixed))),
      ...echoed({ ...pick(fields, fixed), ...given }),
      ...ignored(state),
    },
    closed,
  )
/** The body of PUT, which replaces the resource: the key is in the path and may be repeated unchanged. */
export const putBody = ({ fields, required, key, given, state }: AccountResource) => {
  const rest = omit(fields, [key.name])
  return Type.Object(
    {
      ...pick(rest, required),
      ...optional(resettable(omit(rest, required))),
      ...echoed({ ...pick(fields, [key.name]), ...given }),
      ...ignored(state),
    },
    closed,
  )
}
/** Text about the resource as it is read, without a period. */
function asSet(noun: string): string {
  const text = withArticle(noun)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} as it is set`
}

/** The resource as GET returns it. */
export const representation = ({ noun, fields, given, state, schema }: AccountResource) =>
  Type.Object({ ...given, ...fields, ...state }, { $id: schema, description: `${asSet(noun)}.` })
/** The answer to a creation. */
export const createdAnswer = (resource: AccountResource) =>
  resource.once === undefined
    ? representation(resource)
    : Type.Object(
        { ...resource.given, ...resource.fields, ...resource.state, ...resource.once },
        {
          $id: resource.schema.replace(/Resource$/, 'Secret'),
          description: `${asSet(resource.noun)}, with what is shown only once.`,
        },
      )

/** Schemas of members that change without an edit: a body may contain them as they were read, and they are ignored. */
const ignored = (state: Fields = {}) =>
  Object.fromEntries(
    Object.keys(state).map((name) => [
      name,
      Type.Optional(
        Type.Unsafe<unknown>({ type: 'object', readOnly: true, description: 'State as it was read; ignored.' }),
      ),
    ]),
  )
const pick = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
const omit = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
