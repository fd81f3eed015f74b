import Type, { type Static } from 'typebox'
import { closed, formatted, must } from './values.ts'

// Mirror checks: what a mirror reports after it has compared its copy with the digests of a store.

const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-20T14:03:00+00:00'] })
const momentOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
const mirrorName = Type.String({
  minLength: 1,
  maxLength: 100,
  // No control characters or lone surrogates, and no blanks around it.
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff](?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff])?$',
  ...must(
    'must be a name of 1 to 100 characters, without control characters or halves of surrogate pairs, and with no blanks around it',
  ),
  description:
    'Name of the mirror, such as “Medusa” or the host that it runs on. A later report under the same name replaces this one.',
  examples: ['Medusa'],
})

/** The report of a mirror. */
export const MirrorCheckTold = Type.Object(
  {
    store: Type.Optional(Type.String({ description: 'Slug of the store; the default store if left out.' })),
    mirror: mirrorName,
    since: Type.String({
      ...formatted('date-time'),
      description: 'First half of the change-feed cursor at which the mirror was compared.',
      examples: ['2026-11-20T10:00:00+00:00'],
    }),
    since_id: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      format: 'int64',
      ...must('must be a whole number, 0 or more'),
      description: 'Second half of this cursor.',
    }),
    differing: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      ...must('must be a whole number from 0 to 1000000000'),
      description:
        'Number of products that are missing in the mirror, differ, or are not in the store; 0: the mirror is equal to the store.',
    }),
  },
  {
    $id: 'MirrorCheckTold',
    ...closed,
    description: 'A report of a mirror, after it has compared itself with a store.',
  },
)

/** The latest report of a mirror, as it is read. */
export const MirrorCheck = Type.Object(
  {
    store: Type.String({ description: 'Slug of the store.' }),
    mirror: Type.String({ description: 'Name of the mirror.' }),
    differing: Type.Integer({
      minimum: 0,
      description: 'Number of products that differed; 0: the mirror was equal to the store.',
    }),
    as_of: moment(
      'Time for which this result is valid: the time of the report if the store’s feed had nothing after the mirror’s cursor, otherwise the time of that cursor.',
    ),
    equal_as_of: momentOrNull('as_of of the last report that the mirror was equal; null if there was none.'),
    differs_since: momentOrNull('When the mirror was first reported to differ after that; null if it is equal.'),
    told_at: moment('When the mirror sent the report.'),
  },
  { $id: 'MirrorCheck', description: 'The latest report of a mirror.' },
)
export type MirrorCheck = Static<typeof MirrorCheck>

export const MirrorCheckList = Type.Object(
  { data: Type.Array(MirrorCheck, { description: 'Latest report of each mirror, by store and name.' }) },
  { $id: 'MirrorCheckList', description: 'The latest reports of mirrors.' },
)
