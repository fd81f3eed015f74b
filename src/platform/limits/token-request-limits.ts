/**
 * The log of requests with each token: how many are kept, and how many a process writes at a time; a part of LIMITS
 * (limits.ts).
 */
export const TOKEN_REQUEST_LIMITS = {
  tokenRequestsKept: 1_000,
  tokenRequestsCollectMs: 1_000,
  /** Answers of one token within that time, and as many failures. */
  tokenRequestsAtOnce: 10,
  /** Entries of all tokens that wait in memory to be written. */
  tokenRequestsWaiting: 1_000,
  /** Entries of a token after which its older ones are deleted. */
  tokenRequestsUntrimmed: 100,
  tokenRequestAddressCharacters: 500,
} as const
