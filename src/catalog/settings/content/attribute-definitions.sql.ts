import type { AttributeType } from '../../../../contract/attribute-types.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { must } from '../../../platform/must.ts'

export interface AttributeDefinitionRow {
  key: string
  /** For locales without an entry in `units`. */
  unit: string | null
  units: Record<string, string>
  position: number
  labels: Record<string, string>
  /** Value as suppliers send it -> locale -> text shown. */
  options: Record<string, Record<string, string>>
  /** null: payloads have the value alone. */
  type: AttributeType | null
  /** Between the entries of a list; null: the usual separators. */
  separator: string | null
  /** The decimal sign of its numbers; null: derived from the values as far as they show it. */
  decimal: '.' | ',' | null
}

const definitionColumns = (reader: Reader) =>
  reader`key, unit, units, position, labels, options, type, separator, decimal_sign as decimal`

/** All attribute definitions of the account by key. */
export function attributeDefinitionsList(reader: Reader, accountId: number) {
  return reader<AttributeDefinitionRow[]>`
    select ${definitionColumns(reader)} from attribute_definition where account_id = ${accountId} order by key`
}

/** One definition. No definition has a key with NUL, which PostgreSQL does not allow in texts. */
export async function attributeDefinitionGet(
  reader: Reader,
  accountId: number,
  key: string,
): Promise<AttributeDefinitionRow | undefined> {
  if (key.includes('\0')) return undefined
  const [row] = await reader<AttributeDefinitionRow[]>`
    select ${definitionColumns(reader)} from attribute_definition where account_id = ${accountId} and key = ${key}`
  return row
}

/** The next definitions that fit into one answer, at least one; the key after which more follow, if any do; and the number of all definitions. */
export async function attributeDefinitionsPage(reader: Reader, accountId: number, after: string, limit: number) {
  // keys contain no NUL, so the keys after `after` are those after its part before the NUL
  const [from = ''] = after.split('\0', 1)
  const next = await reader<{ key: string; before: number }[]>`
    select key, (sum(bytes) over (order by key collate "C") - bytes)::bigint as before
    from (
      select key, ${definitionBytes(reader)} as bytes from attribute_definition
      where account_id = ${accountId} and key = any(array(
        select key from attribute_definition where account_id = ${accountId} and key collate "C" > ${from}
        order by key collate "C" limit ${limit + 1}))
    ) as next
    order by key collate "C"`
  const keys = next
    .filter(({ before }, i) => i < limit && (i === 0 || before < LIMITS.attributePageBytes))
    .map(({ key }) => key)
  const rows = await reader<AttributeDefinitionRow[]>`
    select ${definitionColumns(reader)} from attribute_definition
    where account_id = ${accountId} and key = any(${keys}::text[]) order by key collate "C"`
  return {
    rows,
    next: keys.length < next.length ? (keys.at(-1) ?? null) : null,
    total: await attributeDefinitionsCount(reader, accountId),
  }
}

/** The bytes of a definition that count against the budget attribute_bytes: labels, units and options as they are stored, in UTF-8. */
const definitionBytes = (reader: Reader) =>
  reader`(octet_length(labels::text) + octet_length(units::text) + octet_length(options::text))::bigint`

/** The bytes of all definitions of the account that count against that budget. */
export async function attributeBytes(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ bytes: number }[]>`
    select coalesce(sum(${definitionBytes(reader)}), 0)::bigint as bytes from attribute_definition where account_id = ${accountId}`
  return must(row).bytes
}

/** The same for some definitions, by key. */
export async function attributeBytesOf(
  reader: Reader,
  accountId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await reader<{ key: string; bytes: number }[]>`
    select key, ${definitionBytes(reader)} as bytes from attribute_definition
    where account_id = ${accountId} and key = any(${[...keys]}::text[])`
  return new Map(rows.map(({ key, bytes }) => [key, bytes]))
}

export async function attributeDefinitionLock(
  tx: Tx,
  accountId: number,
  key: string,
): Promise<AttributeDefinitionRow | undefined> {
  const [row] = await tx<AttributeDefinitionRow[]>`
    select ${definitionColumns(tx)} from attribute_definition where account_id = ${accountId} and key = ${key} for update`
  return row
}

/** Replaces definitions. @returns how many changed. */
export async function attributeDefinitionsUpsert(
  tx: Tx,
  accountId: number,
  definitions: readonly AttributeDefinitionRow[],
): Promise<number> {
  const result = await tx`
    insert into attribute_definition (account_id, key, unit, units, position, labels, options, type, separator, decimal_sign)
    select ${accountId}, key, unit, units::jsonb, position, labels::jsonb, options::jsonb, type, separator, decimal_sign
    from unnest(${definitions.map((row) => row.key)}::text[], ${definitions.map((row) => row.unit)}::text[],
      ${definitions.map((row) => JSON.stringify(row.units))}::text[], ${definitions.map((row) => row.position)}::int[],
      ${definitions.map((row) => JSON.stringify(row.labels))}::text[],
      ${definitions.map((row) => JSON.stringify(row.options))}::text[], ${definitions.map((row) => row.type)}::text[],
      ${definitions.map((row) => row.separator)}::text[], ${definitions.map((row) => row.decimal)}::text[])
      as given (key, unit, units, position, labels, options, type, separator, decimal_sign)
    on conflict (account_id, key) do update
      set unit = excluded.unit, units = excluded.units, position = excluded.position, labels = excluded.labels,
        options = excluded.options, type = excluded.type, separator = excluded.separator, decimal_sign = excluded.decimal_sign
      where (attribute_definition.unit, attribute_definition.units, attribute_definition.position, attribute_definition.labels,
        attribute_definition.options, attribute_definition.type, attribute_definition.separator, attribute_definition.decimal_sign)
        is distinct from (excluded.unit, excluded.units, excluded.position, excluded.labels, excluded.options, excluded.type,
          excluded.separator, excluded.decimal_sign)
    returning 1`
  // not .count, which is on Citus the number of rows given
  return result.length
}

export async function attributeDefinitionDelete(tx: Tx, accountId: number, key: string): Promise<boolean> {
  const result = await tx`delete from attribute_definition where account_id = ${accountId} and key = ${key}`
  return result.count === 1
}

export async function attributeDefinitionsCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from attribute_definition where account_id = ${accountId}`
  return must(row).count
}
