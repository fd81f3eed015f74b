import Type from 'typebox'
import {
  createBody,
  createdAnswer,
  patchBody,
  putBody,
  representation,
  withArticle,
  type AccountResource,
} from '../account-resource.ts'
import { ACCOUNT_RESOURCES, CHANNELS } from '../account-resources.ts'
import { NoticeChannelTest } from '../notice-channels.ts'
import { runSourceBody, SourceRun, SourceTest } from '../supplier-sources.ts'
import { Id } from '../values.ts'
import { AfterId, AfterKey, PathId, PathKey, PerPage } from '../parameters.ts'
import { listMeta, readRoute, writeRoute, type Body, type Route } from '../route.ts'
import type { Tag } from '../tags.ts'
import { WRITES } from './write-note.ts'

// The routes of every account resource, derived from its declaration.

type Writing = Route & { body: Body }

/** The routes of one resource. `put` exists if the owner chooses the key. */
export interface ResourceRoutes {
  list: Route
  create: Writing
  get: Route
  put: Writing | null
  patch: Writing
  delete: Route
}

function routesOf(resource: AccountResource): ResourceRoutes {
  const { noun, key, schema, deletion, params = {}, path } = resource
  // if the path is not a tag, the resource's entry in the table does not compile without `tag`
  const tag = resource.tag ?? (path as Tag)
  const name = schema.replace(/Resource$/, '')
  const all = { path: `/v1/account/${path}`, params, tag }
  const one = {
    path: `${all.path}/{${key.name}}`,
    params: { ...params, [key.name]: key.isText ? PathKey(key.description) : PathId(key.description) },
    tag,
  }
  const single = withArticle(noun)
  // the problem of a path that names a supplier, for resources of suppliers
  const ofParent = resource.params === undefined ? [] : (['unknown-supplier'] as const)
  const bodyOf = (body: Type.TSchema): Body => ({
    noun,
    schema: body,
    ...(resource.secrets === undefined ? {} : { secrets: resource.secrets }),
  })
  const whole = representation(resource)
  const answer = { data: whole }
  return {
    list: readRoute({
      ...all,
      id: `list${schema}s`,
      summary: `List every ${noun}`,
      description: `Every ${noun} of the account as set, by ${key.name} ascending.`,
      query: { per_page: PerPage, after: key.isText ? AfterKey : AfterId },
      answer: {
        list: whole,
        meta: listMeta(
          { after: key.isText ? Type.String() : Id },
          { total: Type.Integer({ minimum: 0, description: 'Total number, on all pages.' }) },
        ),
      },
      returns: `A page of the list, with every ${noun} as set.`,
      problems: ofParent,
    }),
    create: writeRoute({
      ...all,
      id: `create${name}`,
      method: 'post',
      summary: `Create ${single}`,
      description: `${key.isText ? `409 if the ${key.name} is already used. ` : ''}${WRITES}`,
      body: bodyOf(createBody(resource)),
      answer: { data: createdAnswer(resource) },
      returns: `The ${noun} as set.`,
      ...(resource.needsConfirmation === undefined ? {} : { needsConfirmation: true }),
      problems: ofParent,
      statuses: [201],
    }),
    get: readRoute({
      ...one,
      id: `get${schema}`,
      summary: `Read ${single} as set`,
      description: `The ETag changes only when the ${noun} is edited; send it as If-Match with an edit.`,
      answer,
      returns: `The ${noun} as set.`,
      problems: ['unknown-reference', ...ofParent],
    }),
    put: key.isText
      ? writeRoute({
          ...one,
          id: `put${name}`,
          method: 'put',
          summary: `Create or replace ${single}`,
          description: `Members that the body leaves out get their defaults. 201 if the ${noun} is new. With If-None-Match: *, an existing one is not replaced (412). ${WRITES}`,
          body: bodyOf(putBody(resource)),
          answer,
          returns: `The ${noun} after the write.`,
          problems: ofParent,
          statuses: [200, 201],
        })
      : null,
    patch: writeRoute({
      ...one,
      id: `patch${name}`,
      method: 'patch',
      summary: `Change ${single}`,
      description: `The body is a JSON merge patch: members that are left out stay unchanged, null restores the default. ${WRITES}`,
      body: bodyOf(patchBody(resource)),
      answer,
      returns: `The ${noun} after the write.`,
      problems: ['unknown-reference', ...ofParent],
      statuses: [200],
    }),
    delete: writeRoute({
      ...one,
      id: `delete${name}`,
      method: 'delete',
      summary: `Delete ${single}`,
      description: deletion,
      problems: ['unknown-reference', ...ofParent],
      statuses: [204],
    }),
  }
}

/** Replaces the address of a channel file. In addition to the routes of every resource. */
export const ROTATE_CHANNEL = writeRoute({
  id: 'rotateChannel',
  method: 'post',
  path: '/v1/account/channels/{id}/rotate',
  tag: 'channels',
  summary: 'Replace the URL of a channel file',
  description: 'The old URL stops working at once; the new one is shown only in this answer.',
  params: { id: PathId('ID of the channel file.') },
  answer: { data: createdAnswer(CHANNELS) },
  returns: 'The channel file with its new URL.',
  needsConfirmation: true,
  problems: ['unknown-reference'],
  statuses: [200],
})

const oneSource = {
  path: '/v1/account/suppliers/{code}/sources/{name}',
  params: { code: PathKey('The supplier’s code.'), name: PathKey('The source’s name.') },
  tag: 'sources',
} as const

/** Runs a source now, in addition to its schedule. */
export const RUN_SOURCE = writeRoute({
  ...oneSource,
  id: 'runSource',
  path: `${oneSource.path}/run`,
  method: 'post',
  summary: 'Fetch and import a source now',
  description:
    'Starts a run of the source, even if the source is inactive. The file is fetched even if the server reports that it has not changed since the last import. 409 while another run of the source is queued or running.',
  body: { noun: 'run', schema: runSourceBody },
  answer: { data: SourceRun },
  returns: 'The ID of the run, which begins when the supplier has no other run.',
  problems: ['unknown-reference', 'unknown-supplier'],
  statuses: [201],
})

export const TEST_SOURCE = writeRoute({
  ...oneSource,
  id: 'testSource',
  path: `${oneSource.path}/test`,
  method: 'post',
  summary: 'Test a source',
  description:
    'Connects as a run would, reads the beginning of the file and reports the result. Nothing is written or imported.',
  answer: { data: SourceTest },
  returns: 'The result of the test, also if it failed.',
  problems: ['unknown-reference', 'unknown-supplier'],
  statuses: [200],
})

/** Sends a test notice at once. */
export const TEST_NOTICE_CHANNEL = writeRoute({
  id: 'testNoticeChannel',
  method: 'post',
  path: '/v1/account/notice-channels/{id}/test',
  tag: 'notice-channels',
  summary: 'Send a test notice',
  description:
    'Sends one test notice, even while the channel is paused, and returns what the receiver answered. Nothing is written.',
  params: { id: PathId('ID of the notice channel.') },
  answer: { data: NoticeChannelTest },
  returns: 'The receiver’s answer, also if it refused the notice.',
  problems: ['unknown-reference', 'conflict'],
  statuses: [200],
})

const BY_PATH: ReadonlyMap<string, ResourceRoutes> = new Map(
  ACCOUNT_RESOURCES.map((resource) => [resource.path, routesOf(resource)]),
)

/**
 * The routes of a resource.
 * @throws Error when the resource is not in the table of contract/account-resources.ts
 */
export function routesOfResource({ path }: AccountResource): ResourceRoutes {
  const routes = BY_PATH.get(path)
  if (routes === undefined) throw new Error(`${path} is not in ACCOUNT_RESOURCES of contract/account-resources.ts`)
  return routes
}

export const RESOURCE_ROUTES: readonly Route[] = [
  ...[...BY_PATH.values()].flatMap((routes) => Object.values(routes).filter((route: Route | null) => route !== null)),
  ROTATE_CHANNEL,
  RUN_SOURCE,
  TEST_SOURCE,
  TEST_NOTICE_CHANNEL,
]
