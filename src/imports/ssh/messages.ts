// Messages between the service and a process that speaks SSH, in the frames of reading processes (src/file-readers/frames.ts).

/** `ready`: the program has started. `started`: the key is open, and the server is contacted now. `found` precedes the parts of a file. */
export const SSH_FRAME = {
  job: 1,
  answer: 2,
  started: 3,
  hostKey: 4,
  signedIn: 5,
  found: 6,
  data: 7,
  result: 8,
  ready: 9,
} as const

export interface PrivateKey {
  privateKey: string
  passphrase: string | null
}

export type SshLogin = { username: string } & ({ password: string } | PrivateKey)

interface KeyJob extends PrivateKey {
  kind: 'key'
}

export interface FetchJob {
  kind: 'fetch'
  login: SshLogin
  directory: string
  /** A name, or a pattern: the newest file that matches it is fetched. */
  file: string
  /** Identifies the file that was imported last; null: fetch the file in any case. */
  known: string | null
  connectMs: number
}

/** A job with the limits of the service, which tests may change. */
export type SshJob = (KeyJob | FetchJob) & { limits: Readonly<Record<string, unknown>> }

/** `fault`: what is wrong with a key, for the user. `isKnown`: the file is the known one. `failure`: a FetchFailure. */
export type SshResult = { ok: true; fault: string | null; isKnown: boolean } | { ok: false; failure: unknown }
