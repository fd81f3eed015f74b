import Type, { type Static } from 'typebox'

/** RFC 9457, with a stable code and the parameters at fault. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'URL of the page that explains this kind of problem.' }),
    title: Type.String({ description: 'Name of this kind of problem, in English.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status of the answer.' }),
    detail: Type.String({ description: 'What is wrong with this request, and what to do.' }),
    code: Type.String({
      pattern: '^[a-z]+(-[a-z]+)*$',
      description: 'Code of this kind of problem, for programs. Never changes.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name of the parameter or member at fault.' }),
          reason: Type.String({ description: 'What is wrong with it, in English.' }),
        }),
        { description: 'Parameters and members at fault. Left out if the problem is about none of them.' },
      ),
    ),
    quota: Type.Optional(
      Type.Object(
        {
          budget: Type.String({ description: 'Name of the budget, as in `GET /account/limits`.' }),
          used: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Amount in use; null if it changes all the time.',
          }),
          limit: Type.Integer({ description: 'Limit of the budget.' }),
          raised_by: Type.Literal('operator', { description: 'Who can raise the limit.' }),
        },
        { description: 'Only with code `quota-exceeded`: the budget that is used up.' },
      ),
    ),
  },
  { $id: 'Problem', description: 'Why a request failed (RFC 9457).' },
)

export type ProblemBody = Static<typeof Problem>
