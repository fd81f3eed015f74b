// What the service and a process that speaks SSH send each other, in frames as reading processes have them (src/file-readers/frames.ts).

/** `started`: the key is open, and the server is spoken to from now on. `found` comes before the parts of a file. */
export const SSH_FRAME = {
  job: 1,
  answer: 2,
  started: 3,
  hostKey: 4,
  signedIn: 5,
  found: 6,
  data: 7,
  result: 8,
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
  /** A name, or a pattern of which the newest file is meant. */
  file: string
  /** Stands for the file that was imported last; null: the file is wanted in any case. */
  known: string | null
  connectMs: number
}

/** With the limits of the service, as they are. */
export type SshJob = (KeyJob | FetchJob) & { limits: Readonly<Record<string, unknown>> }

/** `fault`: what is wrong with a key, for who sent it. `isKnown`: the file is the known one. `failure` is a FetchFailure. */
export type SshResult = { ok: true; fault: string | null; isKnown: boolean } | { ok: false; failure: unknown }
