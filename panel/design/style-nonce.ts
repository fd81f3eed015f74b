/** The page's nonce for style elements that are made while it runs; the service puts one into each page. */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  // browsers hide the attribute; the property has it
  return meta?.nonce ?? ''
}
