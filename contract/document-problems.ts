import { headerReferences, headersOfProblem } from './headers.ts'
import { PROBLEM_KINDS, PROBLEMS, PROBLEMS_PATH, problemType, type ProblemCode, type ProblemKind } from './problems.ts'
import type { Method, Route } from './route.ts'

// Problems in the document: for each status an answer that lists the codes that the route can have with it. Most routes
// share theirs, so each distinct answer is a component.

/** A status with its codes. Without codes: any other problem. */
interface Group {
  /** The key in `responses`: a status, or `default`. */
  key: string
  status: number
  codes: readonly ProblemCode[]
  hasToken: boolean
}

function groupsOf({ problems: codes, access, method }: Route): Group[] {
  if (codes.length === 0) return []
  const hasToken = access !== 'none'
  const known = PROBLEM_KINDS.filter(([code]) => codes.includes(code))
  const byStatus = known.flatMap(([code, kind]: readonly [ProblemCode, ProblemKind]) =>
    statusesOf(kind, method).map((status) => ({ status, code })),
  )
  const groups = [...Map.groupBy(byStatus, ({ status }) => status)].map(([status, kinds]) => ({
    key: String(status),
    status,
    codes: kinds.map(({ code }) => code),
    hasToken,
  }))
  return [...groups, { key: 'default', status: 0, codes: [], hasToken }]
}

/** A GET creates nothing, so it exceeds only budgets of a rate or of concurrent requests, for which waiting helps. */
function statusesOf({ status, statusToWait }: ProblemKind, method: Method): number[] {
  if (statusToWait === undefined) return [status]
  return method === 'get' ? [statusToWait] : [status, statusToWait]
}

/** The component's name, such as MissingTokenOrInvalidToken. */
function nameOf({ codes, hasToken }: Group): string {
  const words = codes.map((code) => code.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()))
  return `${words.length === 0 ? 'OtherProblem' : words.join('Or')}${hasToken ? '' : 'WithoutToken'}`
}

/** References to the problems of a route, by status. */
export const problems = (route: Route): Record<string, { $ref: string }> =>
  Object.fromEntries(groupsOf(route).map((group) => [group.key, { $ref: `#/components/responses/${nameOf(group)}` }]))

/** The components to which `problems` refers. */
export const problemResponses = (routes: readonly Route[], serverUrl: string): Record<string, unknown> =>
  Object.fromEntries(
    routes
      .filter(({ isDocumented }) => isDocumented)
      .flatMap(groupsOf)
      .map((group) => [nameOf(group), responseOf(group, serverUrl)]),
  )

function responseOf({ status, codes, hasToken }: Group, serverUrl: string) {
  const [code] = codes
  return {
    description:
      code === undefined
        ? `Any other problem; ${PROBLEMS_PATH} lists all codes. With 405, the header Allow lists the methods of the path.`
        : codes.map((each) => `\`${each}\`: ${PROBLEMS[each].meaning}`).join('\n\n'),
    headers: headerReferences(headersOfProblem(status, hasToken)),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        ...(code === undefined ? {} : { example: exampleOf(code, status, serverUrl) }),
      },
    },
  }
}

function exampleOf(code: ProblemCode, status: number, serverUrl: string) {
  const { title, meaning } = PROBLEMS[code]
  return { type: problemType(serverUrl, code), title, status, detail: meaning.replaceAll('`', ''), code }
}
