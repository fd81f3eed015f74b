import { hash } from 'node:crypto'

/** Identifies a text, or its bytes in UTF-8, in 22 characters. Hashes are stored, so this function must not change. */
export const textHash = (text: string | Uint8Array): string => hash('sha256', text, 'base64url').slice(0, 22)
