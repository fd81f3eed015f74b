import Type from 'typebox'
import { MirrorCheck, MirrorCheckList, MirrorCheckTold } from '../mirror-check-schemas.ts'
import { catalogRoute, named, WITH_TOKEN, type Answer } from '../route.ts'
import type { ProblemCode } from '../problems.ts'

// Reports of mirrors. They change nothing that clients read of the catalog, so any token may send them;
// docs/decisions/239-a-mirror-tells-what-it-found.md says why.

export const LIST_MIRROR_CHECKS = catalogRoute({
  id: 'listMirrorChecks',
  path: '/v1/digest/checks',
  summary: 'Read what mirrors have told of themselves',
  description:
    'For each mirror of each active store whether it was equal when it last told, and as of when. Mirrors that have told nothing for 30 days are left out. By store and name.',
  answer: MirrorCheckList,
  returns: 'What is known of each mirror.',
  problems: [],
})

export const TELL_MIRROR_CHECK = {
  id: 'tellMirrorCheck',
  method: 'post',
  path: '/v1/digest/checks',
  access: 'connector',
  tag: 'finished catalog',
  summary: 'Tell whether a mirror is equal',
  description:
    'After a mirror has compared itself with the digests of a store, this tells the account what it has found: the panel shows it with the store. It is the mirror’s own word: the service does not check it, beyond that the cursor is one of its feed. It changes nothing of the catalog, so a connector token may tell it, and telling it twice does nothing more. Of each store the 20 mirrors that told last are kept. An account may tell 100 at once, and then five a second.',
  params: {},
  query: {},
  isQueryClosed: true,
  body: { noun: 'check', schema: MirrorCheckTold, bytesMax: 4_096 },
  headers: [],
  answers: {
    200: {
      description: 'It is kept; what is known of the mirror now.',
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
