// Passkeys by the browser's own functions: what they take and give is JSON.

/** Whether this browser has them, and reads and writes them as JSON. */
export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  )
}

type Json = Record<string, unknown>

/** Asks for a passkey. @returns what the service verifies; null when the person decided otherwise. */
export async function askForPasskey(options: Json): Promise<Json | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return await asJson(() => navigator.credentials.get({ publicKey }))
}

/** Makes a passkey. @returns what the service stores; null when the person decided otherwise. */
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
    // closed, or nothing was chosen in time
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null
    throw error
  }
}
