/** The limits of signing in at an identity provider: a part of LIMITS (limits.ts). */
export const PROVIDER_LIMITS = {
  /** How long somebody may take at the identity provider. */
  providerStepMinutes: 15,
  // requests to the identity provider, and how long its description of itself is used
  providerTimeoutMs: 10_000,
  providerBytesMax: 262_144,
  providerDescriptionMinutes: 60,
  /** OpenID Connect: 255. */
  providerSubjectLengthMax: 255,
}
