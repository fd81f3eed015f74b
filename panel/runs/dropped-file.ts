// Hands a file that was dropped on another page over to a supplier's import page, because an address cannot carry a file.

let handed: { code: string; file: File } | null = null

/** Keeps a file until the import page of this supplier takes it. */
export function keepDroppedFile(code: string, file: File): void {
  handed = { code, file }
}

/** The file that was dropped for a supplier. Returns it only once. */
export function takeDroppedFile(code: string): File | null {
  if (handed?.code !== code) return null
  const { file } = handed
  handed = null
  return file
}
