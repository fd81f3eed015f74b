// The codes of all problems. The body of an error (RFC 9457) has one, and its `type` is the address of a page that is
// generated from this table. Codes are part of the API and are never renamed. src/platform/errors.ts lists the same codes
// as a type.

export interface ProblemKind {
  status: number
  /** Short and the same for every problem of this code. */
  title: string
  meaning: string
  /** What the client should do about it. */
  advice: string
  /** A second status, sent with `Retry-After`, if waiting helps. */
  statusToWait?: number
  /** Whether only commands report it; the API never answers it. */
  isCommandOnly?: true
}

export const PROBLEMS = {
  'bad-request': {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is not valid HTTP, or its body is not valid JSON.',
    advice: 'Correct the request as `detail` says; the same request is refused again.',
  },
  'invalid-parameters': {
    status: 400,
    title: 'Invalid parameters',
    meaning: 'A parameter of the path or query, or a header, is not valid; `errors` names each.',
    advice: 'Correct what `errors` names.',
  },
  'missing-token': {
    status: 401,
    title: 'Bearer token missing',
    meaning: 'The request has no `Authorization: Bearer <token>`.',
    advice: 'Send the token of the account with every request.',
  },
  'invalid-token': {
    status: 401,
    title: 'Bearer token invalid',
    meaning: 'The token is malformed, unknown, revoked or expired.',
    advice: 'Have the account’s owner create a new token.',
  },
  'token-without-account': {
    status: 403,
    title: 'Token tied to no account',
    meaning: 'The token is valid, but belongs to no account.',
    advice: 'Use a token that was created for the account.',
  },
  'account-suspended': {
    status: 403,
    title: 'Account suspended',
    meaning: 'The operator of the service has suspended the account. Nothing of it is lost.',
    advice:
      'Ask the account’s owner, who reads why in the panel. Once the account goes on, the same token and the same cursor do.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Token may only read',
    meaning: 'A connector token reads finished products; this needs a token with full access.',
    advice: 'Use a token with full access.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    meaning: 'The management panel has no session here, or it has ended.',
    advice: 'Sign in again.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    meaning: 'The e-mail address, the password, the code or the passkey is wrong, or took too long.',
    advice: 'Try again; a forgotten password is reset by mail, or by the operator.',
  },
  'local-sign-in-off': {
    status: 403,
    title: 'Passwords and passkeys are off',
    meaning: 'People of this service sign in at its identity provider alone (`LOCAL_SIGN_IN=off`).',
    advice: 'Sign in at the identity provider.',
  },
  'provider-unavailable': {
    status: 503,
    title: 'Identity provider unavailable',
    meaning: 'The identity provider does not answer, or answers what this service cannot use; its log says what.',
    advice: 'Try again later, or sign in by password; the operator looks into the log.',
  },
  'provider-refused': {
    status: 403,
    title: 'Sign-in at the identity provider failed',
    meaning:
      'The identity provider did not sign the person in, its answer is not one to what this browser asked, or it came too late or twice.',
    advice: 'Begin again on the sign-in page.',
  },
  'person-not-invited': {
    status: 403,
    title: 'Nobody has invited this person',
    meaning: 'The identity provider knows the person, and no account has invited the e-mail address.',
    advice: 'Ask an owner of the account for an invitation to exactly this address.',
  },
  'email-not-verified': {
    status: 403,
    title: 'E-mail address not verified',
    meaning: 'The identity provider does not say that the e-mail address belongs to the person (`email_verified`).',
    advice: 'Confirm the address at the identity provider, or have its administrator send the claim.',
  },
  'email-domain-refused': {
    status: 403,
    title: 'E-mail address of another domain',
    meaning: 'Only addresses of certain domains may sign in here (`OIDC_EMAIL_DOMAINS`).',
    advice: 'Sign in at the identity provider with an address of the company.',
  },
  'identity-differs': {
    status: 403,
    title: 'The address belongs to another identity',
    meaning: 'Whoever has this e-mail address here signs in with another identity of the same provider.',
    advice: 'Ask the operator, who lets the identity go: `shelfwire member link --remove-codes`.',
  },
  'csrf-refused': {
    status: 403,
    title: 'Request from elsewhere',
    meaning: 'A request of the management panel did not come from its own pages.',
    advice: 'Load the panel again; a program uses a token instead of a session.',
  },
  'owner-required': {
    status: 403,
    title: 'Owners only',
    meaning: 'Only owners of the account may do this.',
    advice: 'Ask an owner of the account.',
  },
  'confirmation-required': {
    status: 403,
    title: 'Confirm that it is you',
    meaning:
      'What would outlive a session of the management panel takes the password, a passkey or a sign-in at the identity provider within the last ten minutes.',
    advice: 'Confirm with the password or a passkey, or at the identity provider, and repeat the request.',
  },
  'second-factor-required': {
    status: 403,
    title: 'Second factor needed',
    meaning: 'The account is open only to sessions of the management panel with a code or a passkey.',
    advice: 'Set up codes or a passkey, or sign in with one.',
  },
  'link-ended': {
    status: 410,
    title: 'Link ended',
    meaning: 'The link is unknown, was used already, was withdrawn, or has expired.',
    advice: 'Ask for a new one where it came from.',
  },
  'unknown-store': {
    status: 404,
    title: 'Unknown store',
    meaning: 'No active store of the account has this slug.',
    advice: '`GET /stores` lists the slugs that can be read.',
  },
  'unknown-product': {
    status: 404,
    title: 'Unknown product',
    meaning: 'There is no such product in the account, or the store does not list it.',
    advice: 'In a mirror of the store, remove the product.',
  },
  'unknown-variant-group': {
    status: 404,
    title: 'Unknown group of variants',
    meaning: 'There is no such group of variants in the account, or the store lists none of its products.',
    advice: 'Read the group’s products: `group.id` says which group they are in now.',
  },
  'unknown-supplier': {
    status: 404,
    title: 'Unknown supplier',
    meaning: 'The account has no such supplier.',
    advice: '`GET /account/suppliers` lists them.',
  },
  'unknown-reference': {
    status: 404,
    title: 'Unknown reference',
    meaning: 'The account has nothing under the ID or key that the request names.',
    advice: 'Read the list of what was meant; it may have been deleted.',
  },
  'unknown-operation': {
    status: 404,
    title: 'Unknown operation',
    meaning: 'The account has no such operation, or it ended more than 30 days ago.',
    advice: '`GET /account/operations` lists those that are kept.',
  },
  'unknown-run': {
    status: 404,
    title: 'Unknown import run',
    meaning: 'The account has no such import run, or it ended more than 30 days ago.',
    advice: 'List the runs of the account: those that are kept.',
  },
  'unknown-account': {
    status: 404,
    title: 'Unknown account',
    meaning: 'The account does not exist any more.',
    advice: 'Use a token of an account that exists.',
  },
  'unknown-route': {
    status: 404,
    title: 'Unknown route',
    meaning: 'There is nothing at this address.',
    advice: 'Compare the path with the reference at /docs.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists, but not with this method.',
    advice: 'Use a method that the header `Allow` names.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'It contradicts what is stored: a key that is taken, the last default, or a fixed limit of the account.',
    advice: 'Read what is stored, and decide as `detail` says.',
  },
  'cursor-ahead': {
    status: 410,
    title: 'Cursor ahead of the feed',
    meaning: 'The cursor is of a time that a restored backup, or a standby that took over, does not contain.',
    advice: 'Walk the change feed from the beginning, without a cursor.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Changed meanwhile',
    meaning: 'It is not in the state that `If-Match` or `If-None-Match` demands.',
    advice: 'Read it again, repeat the change on what it is now, and send the new ETag.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Request too large',
    meaning: 'The body, or the address and headers together, are larger than the service reads.',
    advice: 'Send less at once.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not JSON, or not declared as JSON; where a picture is sent, it is not declared as one.',
    advice:
      'Send JSON with `Content-Type: application/json`, and a picture with its own type, without a content coding.',
  },
  'invalid-input': {
    status: 422,
    title: 'Invalid input',
    meaning: 'The body is well formed but not valid; `errors` names each member, and nothing was written.',
    advice: 'Correct what `errors` names.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key used for another request',
    meaning: 'The Idempotency-Key was sent with another request within 24 hours.',
    advice: 'Use a new key for each request; repeat a request with the same key and the same body.',
  },
  'quota-exceeded': {
    status: 422,
    statusToWait: 429,
    title: 'Budget used up',
    meaning:
      'A budget of the account is used up: with 422 what it may have, such as products or bytes of pictures; with 429 what it may do within a time, or at the same time. `quota` names the budget, its use and its limit.',
    advice:
      'With 422, delete some, or ask the operator of the service to raise the limit; with 429, wait for the seconds in `Retry-After`. `GET /account/limits` lists all budgets.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'More requests, or more uploads or downloads at once, than are allowed.',
    advice: 'Wait for the seconds in `Retry-After`, then continue more slowly.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault of the service, which is in its log.',
    advice: 'Try again later; repeat a write with the same Idempotency-Key.',
  },
  'database-unavailable': {
    status: 503,
    title: 'Database unavailable',
    meaning:
      'The database could not be reached, or left while the request was served; a write may or may not have been made.',
    advice: 'Repeat it after `Retry-After`, a write with the same Idempotency-Key.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The request has no token for this address, or a wrong one.',
    advice: 'Send the token that the operator set.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request not received in time',
    meaning: 'The request did not arrive in whole within the time that the service waits.',
    advice: 'Repeat it, a write with the same Idempotency-Key.',
  },
  'uri-too-long': {
    status: 414,
    title: 'Address too long',
    meaning: 'The address is longer than the service reads.',
    advice: 'Send fewer or shorter parameters, such as fewer `ids`.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The part that `Range` asks for begins after the end.',
    advice: 'Ask for a part of the bytes that `Content-Range` states.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation not supported',
    meaning: 'The header `Expect` asks for something other than 100-continue.',
    advice: 'Leave the header out.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The headers together are larger than the service reads.',
    advice: 'Send fewer or shorter headers.',
  },
  'method-not-implemented': {
    status: 501,
    title: 'Method not implemented',
    meaning: 'The method is none that the service knows.',
    advice: 'Use a method of the reference at /docs.',
  },
  'writes-unavailable': {
    status: 503,
    title: 'Writes unavailable',
    meaning:
      'The database takes no writes at the moment: its disk is full, or it is a standby. Nothing was written; reads are served.',
    advice: 'Repeat it after `Retry-After`.',
  },
  'image-unavailable': {
    status: 503,
    title: 'Picture not available now',
    meaning:
      'The store of the pictures does not answer, or more sizes of pictures are asked for than can be made at once.',
    advice: 'Ask again after `Retry-After`; the picture as it is needs not be made.',
  },
  'newer-release': {
    status: 503,
    title: 'Newer release at work',
    meaning: 'A newer release has taken over the account; this process is of an older one.',
    advice: 'Repeat it after `Retry-After`.',
  },
  'source-unreadable': {
    status: 422,
    title: 'Source unreadable',
    meaning: 'The file does not exist, or can not be read in its format.',
    advice: 'Check the path, the format and the encoding of the file.',
  },
  'import-refused': {
    status: 422,
    title: 'Import refused',
    meaning:
      'A full file is empty, or would set more than half of the supplier’s offers to 0; or a file would take the costs from more than half of its offers.',
    advice: 'Check the file; confirm the import if the file is right.',
    isCommandOnly: true,
  },
  'import-running': {
    status: 409,
    title: 'Import running',
    meaning: 'Another import of this supplier is running.',
    advice: 'Wait for it to end; after a kill, until the time that `detail` states.',
    isCommandOnly: true,
  },
  'settings-invalid': {
    status: 500,
    title: 'Internal error',
    meaning: 'A setting of the service is not valid, or does not fit the stored data.',
    advice: 'Correct the setting that `detail` names; docs/operations.md lists them.',
    isCommandOnly: true,
  },
  'database-unusable': {
    status: 503,
    title: 'Database unusable',
    meaning: 'The database can not be started, is too old, or has a schema that this release does not know.',
    advice: 'Do what `detail` says, then start again.',
    isCommandOnly: true,
  },
} as const satisfies Readonly<Record<string, ProblemKind>>

export type ProblemCode = keyof typeof PROBLEMS

/** By code, in the order in which the page lists them. */
export const PROBLEM_KINDS = Object.entries(PROBLEMS) as readonly (readonly [ProblemCode, ProblemKind])[]

/** Path of the page of all problems; it is not below /v1. */
export const PROBLEMS_PATH = '/docs/problems'

/** The `type` of a problem: the address of its code's section on that page. `serverUrl` is the base URL without /v1. */
export const problemType = (serverUrl: string, code: ProblemCode): string => `${serverUrl}${PROBLEMS_PATH}#${code}`
