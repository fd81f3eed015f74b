// Passkeys by the browser's WebAuthn functions, with JSON as input and output.

/** Whether this browser supports passkeys, including their JSON form. */
export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  )
}

type Json = Record<string, unknown>

/** Asks for a passkey. @returns the credential for the service to verify; null if the person cancelled */
export async function askForPasskey(options: Json): Promise<Json | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return await asJson(() => navigator.credentials.get({ publicKey }))
}

/** Creates a passkey. @returns the credential for the service to store; null if the person cancelled */
export async function makePasskey(options: Json): Promise<Json | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return await asJson(() => navigator.credentials.create({ publicKey }))
}

async function asJson(work: () => Promise<Credential | null>): Promise<Json | null> {
  try {
    const credential = await work()
    return credential instanceof PublicKeyCredential ? (credential.toJSON() as unknown as Json) : null
  } catch (error) {
    // cancelled, or timed out
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null
    throw error
  }
}
