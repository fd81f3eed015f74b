// A file that was dropped on another page, on its way to the import of a supplier: what a browser has of a file is in no address.

let handed: { code: string; file: File } | null = null

/** Keeps a file until the import page of this supplier takes it. */
export function handFile(code: string, file: File): void {
  handed = { code, file }
}

/** The file that was dropped for a supplier, once. */
export function takeHanded(code: string): File | null {
  if (handed?.code !== code) return null
  const { file } = handed
  handed = null
  return file
}
