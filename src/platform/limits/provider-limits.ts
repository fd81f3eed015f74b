/** The limits of signing in at an identity provider: a part of LIMITS (limits.ts). */
export const PROVIDER_LIMITS = {
  /** How long somebody may take at the identity provider. */
  providerStepMinutes: 15,
  /** How old a logout token of the provider may be. */
  providerLogoutSeconds: 300,
  // requests to the identity provider, and how long its description of itself is used
  providerTimeoutMs: 10_000,
  /** How long somebody who is signed out here waits for where to sign out there. */
  providerSignOutMs: 1_000,
  providerBytesMax: 262_144,
  /** Each sends one request at a time: one that waits for its answer keeps others out of its connection alone. */
  providerConnectionsMax: 16,
  providerDescriptionMinutes: 60,
  /** How long ago the provider may have asked somebody whom it does not ask again: sent so that it says when it has. */
  providerAskedDaysMax: 365,
  /** OpenID Connect: 255. */
  providerSubjectLengthMax: 255,
}
