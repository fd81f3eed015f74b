/** The limits of what a client address may ask for without a token: a part of LIMITS (limits.ts). */
export const STRANGER_LIMITS = {
  // tokens that nobody knows, per client address; and for how long look-ups of tokens that were never seen are collected
  unknownTokensPerSecond: 10,
  unknownTokensAtOnce: 100,
  unknownTokensCollectMs: 10,
  // pages of the reference and of searches that are made, per client address; and those that are kept
  docsMadePerSecond: 5,
  docsMadeAtOnce: 400,
  docsKeptCharacters: 1_000_000,
} as const
