/** The limits of a client address without a token: a part of LIMITS (limits.ts). */
export const STRANGER_LIMITS = {
  // bodies of requests without sign-in that are being received or handled, per process: in all, and per client address
  strangersBodiesBytesMax: 33_554_432,
  strangersBodiesBytesPerAddressMax: 524_288,
  // requests to the panel without sign-in, per client address: all people of an office may share one
  visitorRequestsPerSecond: 20,
  visitorRequestsAtOnce: 400,
  // unknown tokens, sessions, links and addresses of channel files, each per client address; and for how long look-ups of tokens not seen before are
  // collected
  unknownTokensPerSecond: 10,
  unknownTokensAtOnce: 100,
  unknownTokensCollectMs: 10,
  /** Requests for a channel file by its address. */
  channelReadsPerSecond: 5,
  channelReadsAtOnce: 100,
  // pages of the reference and of searches that are rendered, per client address; and characters of rendered pages that are cached
  docsMadePerSecond: 5,
  docsMadeAtOnce: 400,
  docsKeptCharacters: 1_000_000,
} as const
