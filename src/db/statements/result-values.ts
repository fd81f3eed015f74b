import pg from 'pg'
import { parse } from 'postgres-array'

// The types of result values: bigint as number (ids are below 2^53), numeric as text, timestamps as Date.

const number = (text: string) => Number(text)
const date = (text: string) => new Date(text.startsWith('00') ? inIsoForm(text) : text)
/** Node reads a year below 100 as 1950 to 2049 unless the text is in ISO form, whose offset has minutes. */
const inIsoForm = (text: string) =>
  text.replace(
    /^(\S+) (\S+?)([+-]\d\d)?$/,
    (_, day, time, hours) => `${day}T${time}${hours === undefined ? '' : `${hours}:00`}`,
  )
const listOf = (entry: (text: string) => unknown) => (text: string) => parse(text, entry)

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT8]: number,
  1016: listOf(number), // bigint[]
  [pg.types.builtins.DATE]: date,
  [pg.types.builtins.TIMESTAMP]: date,
  [pg.types.builtins.TIMESTAMPTZ]: date,
  1182: listOf(date), // date[]
  1185: listOf(date), // timestamptz[]
  1231: listOf((text) => text), // numeric[]
}

/** Where node-postgres looks up the parser of each type. */
export const RESULT_VALUES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS[oid]) ??
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}
