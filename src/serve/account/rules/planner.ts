import {
  createBody,
  patchBody,
  type AccountResource,
  type ChangedMembers,
  type NewMembers,
} from '../../../../contract/account-resource.ts'
import type { Reader } from '../../../db/sql.ts'
import type { Ordered } from '../../../catalog/settings/rules/rule-rows.sql.ts'
import { NEW_RULE_ID } from '../../../previews/rule-change.ts'
import { shapeReader } from '../../writing/shape.ts'
import { membersOfPatch, unknownOne, writing, type Collection } from '../collection.ts'
import { withDefaults } from '../members.ts'

/** A rule as a write would leave it; null: it would be deleted. */
interface Planned<Row> {
  ruleId: number
  rule: Row | null
}

/** Computes the result of a write from a request's body, with the same checks and faults, and writes nothing. */
export interface Planner<Row> {
  order(reader: Reader, accountId: number): Promise<readonly Ordered[]>
  create(reader: Reader, accountId: number, body: unknown): Promise<Planned<Row>>
  edit(reader: Reader, accountId: number, ruleId: number, body: unknown): Promise<Planned<Row>>
  remove(reader: Reader, accountId: number, ruleId: number): Promise<Planned<Row>>
}

/** @param plan the checks of each write, without the write itself. */
export function planner<R extends AccountResource, Row extends { ruleId: number }, Defaulted extends keyof R['fields']>(
  collection: Collection<R, Row, Defaulted>,
  plan: {
    create(reader: Reader, accountId: number, members: NewMembers<R, Defaulted>): Promise<Omit<Row, 'ruleId'>>
    edit(reader: Reader, accountId: number, row: Row, members: ChangedMembers<R, Defaulted>): Promise<Row>
    order(reader: Reader, accountId: number): Promise<readonly Ordered[]>
    /** @throws ShelfwireError for a rule that must not be deleted. */
    remove?(row: Row): void
  },
): Planner<Row> {
  const { resource } = collection
  const readNew = shapeReader(createBody(resource))
  const readPatch = shapeReader(patchBody(resource))
  const find = async (reader: Reader, accountId: number, ruleId: number) => {
    const row = await collection.apart?.get(reader, accountId, ruleId, undefined)
    if (row === undefined) throw unknownOne(resource, ruleId)
    return row
  }
  return {
    order: plan.order,
    async create(reader, accountId, body) {
      const members = withDefaults(readNew(body, resource.noun), collection.defaults)
      // the type is derived from the schema that has checked the body
      const rule = await writing(() => plan.create(reader, accountId, members as NewMembers<R, Defaulted>))
      return { ruleId: NEW_RULE_ID, rule: { ...rule, ruleId: NEW_RULE_ID } as Row }
    },
    async edit(reader, accountId, ruleId, body) {
      const sent = readPatch(body, resource.noun) as Record<string, unknown>
      const row = await find(reader, accountId, ruleId)
      const members = membersOfPatch(collection, collection.represent(row), sent)
      return { ruleId, rule: await writing(() => plan.edit(reader, accountId, row, members)) }
    },
    async remove(reader, accountId, ruleId) {
      plan.remove?.(await find(reader, accountId, ruleId))
      return { ruleId, rule: null }
    },
  }
}
