/** The limits of what a client address may ask for without a token: a part of LIMITS (limits.ts). */
export const STRANGER_LIMITS = {
  // bodies that are being received or handled, per process, of those who are not signed in: in all, and per client address
  strangersBodiesBytesMax: 33_554_432,
  strangersBodiesBytesPerAddressMax: 524_288,
  // requests to the panel of those who are not signed in, per client address: an office has one for all of its people
  visitorRequestsPerSecond: 20,
  visitorRequestsAtOnce: 400,
  // tokens, sessions, links and channel files that nobody knows, each per client address; and for how long look-ups of tokens that were never seen are collected
  unknownTokensPerSecond: 10,
  unknownTokensAtOnce: 100,
  unknownTokensCollectMs: 10,
  /** Requests for a channel file by its address. */
  channelReadsPerSecond: 5,
  channelReadsAtOnce: 100,
  // pages of the reference and of searches that are made, per client address; and those that are kept
  docsMadePerSecond: 5,
  docsMadeAtOnce: 400,
  docsKeptCharacters: 1_000_000,
} as const
