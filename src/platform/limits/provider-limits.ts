/** The limits of signing in at an identity provider: a part of LIMITS (limits.ts). */
export const PROVIDER_LIMITS = {
  /** How long somebody may take at the identity provider. */
  providerStepMinutes: 15,
  /** How old a logout token of the provider may be. */
  providerLogoutSeconds: 300,
  // requests to the identity provider, and how long its description of itself is used
  providerTimeoutMs: 10_000,
  /** How long somebody who signs out waits for the provider's address for signing out. */
  providerSignOutMs: 1_000,
  providerBytesMax: 262_144,
  /** Each sends one request at a time, so that a slow answer delays no other request. */
  providerConnectionsMax: 16,
  providerDescriptionMinutes: 60,
  /**
   * The oldest authentication at the provider that is accepted without asking the person again; sent so that the
   * provider reports its time.
   */
  providerAskedDaysMax: 365,
  /** The limit of OpenID Connect: 255. */
  providerSubjectLengthMax: 255,
}
