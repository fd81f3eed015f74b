import Type from 'typebox'
import { RULE_CONDITIONS, type ConditionOf, type Form, type FormNamed } from './rule-conditions.ts'
import { Amount, formatted, Ids, Names, orNull } from './values.ts'

/** The schema of a condition, by its form. */
const SCHEMAS = {
  ids: Ids,
  names: Names,
  paths: Names,
  number: Amount,
  day: (description: string) => orNull(Type.String({ description, ...formatted('date') }), 'must be a string'),
} satisfies Record<Form, (description: string) => Type.TSchema>

type Schemas<K extends keyof typeof RULE_CONDITIONS> = {
  readonly [N in ConditionOf<K>]: ReturnType<(typeof SCHEMAS)[FormNamed<N>]>
}

/** The conditions of a kind of rule, as members of its schema. */
export const conditionSchemas = <K extends keyof typeof RULE_CONDITIONS>(kind: K) =>
  Object.fromEntries(
    RULE_CONDITIONS[kind].map(({ name, form, texts }) => [name, SCHEMAS[form](texts.description)]),
  ) as unknown as Schemas<K>
