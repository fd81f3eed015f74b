import Type from 'typebox'
import { MirrorCheck, MirrorCheckList, MirrorCheckTold } from '../mirror-check-schemas.ts'
import { catalogRoute, named, WITH_TOKEN, type Answer } from '../route.ts'
import type { ProblemCode } from '../problems.ts'

// Reports of mirrors. They change nothing that clients read of the catalog, so any token may send them;
// docs/decisions/239-a-mirror-tells-what-it-found.md says why.

export const LIST_MIRROR_CHECKS = catalogRoute({
  id: 'listMirrorChecks',
  path: '/v1/digest/checks',
  summary: 'List the reports of mirrors',
  description:
    'For each mirror of each active store, whether it was equal to the store at its latest report, and as of when; by store and name. Mirrors without a report in the last 30 days are left out.',
  answer: MirrorCheckList,
  returns: 'The latest report of each mirror.',
  problems: [],
})

export const TELL_MIRROR_CHECK = {
  id: 'tellMirrorCheck',
  method: 'post',
  path: '/v1/digest/checks',
  access: 'connector',
  tag: 'finished catalog',
  summary: 'Report whether a mirror is equal',
  description:
    'Reports the result after a mirror has compared itself with the digests of a store; the panel shows it with the store. The service does not check the result, only that the cursor is one of its feed. A report changes nothing in the catalog, so a connector token may send it, and sending it twice has no further effect. For each store, the 20 mirrors that reported last are kept. An account may send 100 reports at once, and then five a second.',
  params: {},
  query: {},
  isQueryClosed: true,
  body: { noun: 'check', schema: MirrorCheckTold, bytesMax: 4_096 },
  headers: [],
  answers: {
    200: {
      description: 'The report is stored; the mirror as it is now known.',
      content: { 'application/json': Type.Object({ data: named(MirrorCheck) }) },
    },
  } as Readonly<Record<number, Answer>>,
  problems: [
    ...WITH_TOKEN,
    'invalid-parameters',
    'request-timeout',
    'payload-too-large',
    'unsupported-media-type',
    'invalid-input',
    'unknown-store',
    'cursor-ahead',
    'writes-unavailable',
  ] as const satisfies readonly ProblemCode[],
  answersHead: false,
  isDocumented: true,
  schemas: [MirrorCheck, MirrorCheckTold],
} as const
