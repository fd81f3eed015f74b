/** Limits of the log of requests with each token: what is shown, and what a process writes down at a time. */
export const TOKEN_REQUEST_LIMITS = {
  tokenRequestsKept: 1_000,
  tokenRequestsCollectMs: 1_000,
  /** Of a token within that time: answers, and as many failures. */
  tokenRequestsAtOnce: 10,
  /** Of all tokens: what waits in memory to be written down. */
  tokenRequestsWaiting: 1_000,
  /** Of a token, after which its older ones are deleted. */
  tokenRequestsUntrimmed: 100,
  tokenRequestAddressCharacters: 500,
} as const
